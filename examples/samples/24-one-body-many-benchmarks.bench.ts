// 24: benchmarks from one body. Inheritance or a factory saves writing, but functions that come from one piece of source can share
// what V8 has learnt about it. Each benchmark runs in processes of its own, so that here they cannot harm each other; what
// does mix is data of different kinds through one function inside one benchmark, as `mixed` does.
import { suite } from 'tscope';

abstract class Codec {
  abstract encode(x: number): string;
  roundTrip(x: number): number {
    return Number(this.encode(x));
  }
}
class Decimal extends Codec {
  encode(x: number) {
    return x.toString(10);
  }
}
class Hex extends Codec {
  encode(x: number) {
    return `0x${x.toString(16)}`;
  }
}

const roundTrip = (codec: Codec) => (_state: object, _harness: object, x: number) => codec.roundTrip(x);
const [decimal, hex] = [new Decimal(), new Hex()];

export default suite('OneBodyManyBenchmarks', {
  inputs: () => Array.from({ length: 256 }, (_, i) => i * 1001),
  benchmarks: {
    decimal: roundTrip(decimal),
    hex: roundTrip(hex),
    mixed: (_state, _harness, x) => (x % 2 === 0 ? decimal : hex).roundTrip(x),
  },
});
