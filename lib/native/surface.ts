/** What the addon exports, one interface per concern in surface/; nothing above lib/native sees these names. */
// biome-ignore lint/complexity/noBannedTypes: each concern adds its interface here.
export type AddonSurface = {};
