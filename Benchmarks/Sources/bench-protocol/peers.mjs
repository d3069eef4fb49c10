// The same work in Node. Reads lines of commands, answers each with the seconds its work took.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const texts = new Map();
function text(path) {
  if (!texts.has(path)) {
    texts.clear();
    texts.set(path, readFileSync(path, 'utf8'));
  }
  return texts.get(path);
}

let values = new Map();
function value(path) {
  if (!values.has(path)) values.set(path, JSON.parse(text(path)));
  return values.get(path);
}

function rotate(value, count) {
  return (value << count) | (value >>> (32 - count));
}

function hash32(bytes, seed) {
  const p1 = 0x9e3779b1, p2 = 0x85ebca77, p3 = 0xc2b2ae3d, p4 = 0x27d4eb2f, p5 = 0x165667b1;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const count = bytes.length;
  let i = 0;
  let hash;
  if (count >= 16) {
    let a = (seed + p1 + p2) | 0, b = (seed + p2) | 0, c = seed | 0, d = (seed - p1) | 0;
    for (; i <= count - 16; i += 16) {
      a = Math.imul(rotate((a + Math.imul(view.getUint32(i, true), p2)) | 0, 13), p1);
      b = Math.imul(rotate((b + Math.imul(view.getUint32(i + 4, true), p2)) | 0, 13), p1);
      c = Math.imul(rotate((c + Math.imul(view.getUint32(i + 8, true), p2)) | 0, 13), p1);
      d = Math.imul(rotate((d + Math.imul(view.getUint32(i + 12, true), p2)) | 0, 13), p1);
    }
    hash = (rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18)) | 0;
  } else {
    hash = (seed + p5) | 0;
  }
  hash = (hash + count) | 0;
  for (; i <= count - 4; i += 4) {
    hash = Math.imul(rotate((hash + Math.imul(view.getUint32(i, true), p3)) | 0, 17), p4);
  }
  for (; i < count; i++) hash = Math.imul(rotate((hash + Math.imul(bytes[i], p5)) | 0, 11), p1);
  hash = Math.imul(hash ^ (hash >>> 15), p2);
  hash = Math.imul(hash ^ (hash >>> 13), p3);
  return (hash ^ (hash >>> 16)) >>> 0;
}

let sink;
const commands = {
  parse(path) {
    const input = text(path);
    return () => { sink = JSON.parse(input); };
  },
  apply(path) {
    const input = text(path);
    return () => {
      const rows = new Map();
      for (const part of JSON.parse(input)) {
        for (const { value } of part.rowsPatch) rows.set(value.id, value);
      }
      const all = [...rows.values()];
      sink = [
        all.toSorted((a, b) => a.created - b.created),
        all.filter((row) => row.open).sort((a, b) => b.priority - a.priority),
        all.toSorted((a, b) => b.modified - a.modified).slice(0, 100),
      ];
    };
  },
  stringify(path, times) {
    const input = value(path);
    return () => { for (let i = 0; i < times; i++) sink = JSON.stringify(input); };
  },
  hash(size, times) {
    const bytes = new Uint8Array(Number(size)).map((_, i) => i * 7);
    return () => { for (let i = 0; i < times; i++) sink = hash32(bytes, i & 3); };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...parameters] = line.split(' ');
  const work = commands[name](...parameters);
  const start = process.hrtime.bigint();
  work();
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  sink = undefined;
  process.stdout.write(seconds + '\n');
}
