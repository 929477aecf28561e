// 12: what ran before changes what is measured now. All benchmarks call `total`, which calls `area` of what it is given. As long as
// that call has seen one class, V8 inlines it; once it has seen five, every call looks the method up. Harnesses that run one benchmark after the
// other in one process measure the last ones like that. Here each runs in forks of its own, and `bulk_indi` shows the other number on
// purpose, as `(polluted)`. Which of the two is right depends on what the program around the code does; they must not be mixed up.
import { suite } from 'tscope';

class Square {
  a = 1;
  area() {
    return this.a * this.a;
  }
}
class Circle {
  r = 1;
  area() {
    return 3 * this.r * this.r;
  }
}
class Rectangle {
  a = 1;
  b = 2;
  area() {
    return this.a * this.b;
  }
}
class Triangle {
  a = 1;
  h = 2;
  area() {
    return (this.a * this.h) / 2;
  }
}
class Rhombus {
  d = 1;
  e = 2;
  area() {
    return (this.d * this.e) / 2;
  }
}

function total(shapes: readonly { area(): number }[]): number {
  let sum = 0;
  for (const shape of shapes) sum += shape.area();
  return sum;
}
const many = <T>(Shape: new () => T) => Array.from({ length: 100 }, () => new Shape());

export default suite('Forking', {
  warmupMode: 'bulk_indi',
  opsPerInvocation: 100,
  setup: () => ({
    squares: many(Square),
    circles: many(Circle),
    rectangles: many(Rectangle),
    triangles: many(Triangle),
    rhombs: many(Rhombus),
  }),
  benchmarks: {
    squares: ({ squares }) => total(squares),
    circles: ({ circles }) => total(circles),
    rectangles: ({ rectangles }) => total(rectangles),
    triangles: ({ triangles }) => total(triangles),
    rhombs: ({ rhombs }) => total(rhombs),
  },
});
