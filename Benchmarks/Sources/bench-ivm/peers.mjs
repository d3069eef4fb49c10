// Answers one line per command with the seconds of processor time that the work took: what a
// JavaScript client does for comparisons of values and for reading part of a list.
import {createInterface} from 'node:readline';

// By code points, as UTF-8 bytes: surrogates sort behind all other units.
function compareText(a, b) {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    let x = a.charCodeAt(i);
    let y = b.charCodeAt(i);
    if (x === y) continue;
    if (x >= 0xd800 && y >= 0xd800) {
      x = x >= 0xe000 ? x - 0x800 : x + 0x2000;
      y = y >= 0xe000 ? y - 0x800 : y + 0x2000;
    }
    return x - y;
  }
  return a.length - b.length;
}

function compareValues(a, b) {
  a = a ?? null;
  b = b ?? null;
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  switch (typeof a) {
    case 'number': if (typeof b === 'number') return a - b; break;
    case 'string': if (typeof b === 'string') return compareText(a, b); break;
    case 'boolean': if (typeof b === 'boolean') return a ? 1 : -1; break;
  }
  throw new Error(`cannot compare ${typeof a} with ${typeof b}`);
}

function timed(work) {
  const start = process.cpuUsage();
  work();
  const {user, system} = process.cpuUsage(start);
  return (user + system) / 1e6;
}

let sink = 0;
let list = [];
const values = new Map();

const commands = {
  // values NAME JSON: what `compare NAME` compares, each with the next one.
  values(name, json) {
    values.set(name, JSON.parse(json).map(value => ({value})));
    return values.get(name).length;
  },
  compare(name, passes) {
    const rows = values.get(name);
    return timed(() => {
      for (let pass = Number(passes); pass > 0; pass--) {
        for (let i = 1; i < rows.length; i++) {
          sink += compareValues(rows[i - 1].value, rows[i].value);
        }
      }
    });
  },
  list(count) {
    list = Array.from({length: Number(count)}, (_, i) => ({id: `i${i}`, priority: i % 5}));
    return list.length;
  },
  // Slices of 20 rows, one number read from each row.
  slices(count) {
    return timed(() => {
      for (let place = 0; place < Number(count); place++) {
        const start = (place % 1000) * 9;
        for (const row of list.slice(start, start + 20)) sink += row.priority;
      }
    });
  },
};

createInterface({input: process.stdin}).on('line', line => {
  const [name, first, ...rest] = line.split(' ');
  console.log(commands[name](first, rest.join(' ')));
});
