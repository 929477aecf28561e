/** Puts the k-th smallest (0-based) of buffer[0 .. n) at index k, smaller ones before it, larger ones behind. In place, no allocation. */
export function select(buffer: Float64Array, n: number, k: number): number {
  let left = 0;
  let right = n - 1;
  while (left < right) {
    // Middle of three as pivot: sorted input is common here.
    const middle = (left + right) >> 1;
    const [a, b, c] = [buffer[left]!, buffer[middle]!, buffer[right]!];
    const pivot = Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
    let i = left;
    let j = right;
    while (i <= j) {
      while (buffer[i]! < pivot) i++;
      while (buffer[j]! > pivot) j--;
      if (i <= j) {
        const swap = buffer[i]!;
        buffer[i] = buffer[j]!;
        buffer[j] = swap;
        i++;
        j--;
      }
    }
    if (k <= j) right = j;
    else if (k >= i) left = i;
    else break;
  }
  return buffer[k]!;
}

/** Type 7 quantile of buffer[0 .. n), which is reordered. Same arithmetic as `quantile` of that type. */
export function selectQuantile(buffer: Float64Array, n: number, p: number): number {
  // Rank from 1, rounded where `quantile` rounds, so that both agree to the last bit.
  const h = (n - 1) * p + 1;
  const whole = Math.round(h);
  const rank = Math.abs(h - whole) <= 4 * Number.EPSILON * Math.max(1, h) ? whole : h;
  const low = Math.floor(rank) - 1;
  const a = select(buffer, n, low);
  const part = rank - (low + 1);
  if (part === 0) return a;
  let next = Infinity;
  for (let i = low + 1; i < n; i++) if (buffer[i]! < next) next = buffer[i]!;
  return a + part * (next - a);
}
