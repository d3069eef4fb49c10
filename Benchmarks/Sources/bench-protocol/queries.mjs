// Answers one line per command: hashes of query trees and conditions on rows, the way a JavaScript
// client does them.
import {readFileSync} from 'node:fs';
import {createInterface} from 'node:readline';

const encoder = new TextEncoder();

function xxHash32(bytes, seed) {
  const [p1, p2, p3, p4, p5] = [2654435761, 2246822519, 3266489917, 668265263, 374761393];
  const rotate = (x, by) => (x << by) | (x >>> (32 - by));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let place = 0;
  let hash;
  if (bytes.length >= 16) {
    let a = (seed + p1 + p2) | 0;
    let b = (seed + p2) | 0;
    let c = seed | 0;
    let d = (seed - p1) | 0;
    for (; place + 16 <= bytes.length; place += 16) {
      a = Math.imul(rotate((a + Math.imul(view.getUint32(place, true), p2)) | 0, 13), p1);
      b = Math.imul(rotate((b + Math.imul(view.getUint32(place + 4, true), p2)) | 0, 13), p1);
      c = Math.imul(rotate((c + Math.imul(view.getUint32(place + 8, true), p2)) | 0, 13), p1);
      d = Math.imul(rotate((d + Math.imul(view.getUint32(place + 12, true), p2)) | 0, 13), p1);
    }
    hash = (rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18)) | 0;
  } else {
    hash = (seed + p5) | 0;
  }
  hash = (hash + bytes.length) | 0;
  for (; place + 4 <= bytes.length; place += 4) {
    hash = Math.imul(rotate((hash + Math.imul(view.getUint32(place, true), p3)) | 0, 17), p4);
  }
  for (; place < bytes.length; place++) {
    hash = Math.imul(rotate((hash + Math.imul(bytes[place], p5)) | 0, 11), p1);
  }
  hash = Math.imul(hash ^ (hash >>> 15), p2);
  hash = Math.imul(hash ^ (hash >>> 13), p3);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function hash64(text) {
  const bytes = encoder.encode(text);
  return ((BigInt(xxHash32(bytes, 0)) << 32n) | BigInt(xxHash32(bytes, 1))).toString(36);
}

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

const isGroup = condition => condition.type === 'and' || condition.type === 'or';

function flatten(condition) {
  if (!isGroup(condition)) return condition;
  const parts = condition.conditions
    .flatMap(member =>
      member.type === condition.type ? member.conditions.map(flatten) : [flatten(member)])
    .filter(part => part !== undefined);
  if (parts.length < 2) return parts[0];
  return {type: condition.type, conditions: parts};
}

function comparePositions(a, b) {
  if (a.type !== b.type) return compareText(a.type, b.type);
  return a.type === 'column'
    ? compareText(a.name, b.name) : compareText(String(a.value), String(b.value));
}

const rank = flag => (flag === undefined ? 0 : flag ? 2 : 1);

function compareConditions(a, b) {
  if (a.type === 'simple' && b.type === 'simple') {
    return comparePositions(a.left, b.left) || compareText(a.op, b.op) ||
      comparePositions(a.right, b.right);
  }
  if (a.type === 'simple') return -1;
  if (b.type === 'simple') return 1;
  if (!isGroup(a) && !isGroup(b)) {
    return compareText(a.related.subquery.alias, b.related.subquery.alias) ||
      compareText(a.op, b.op) || rank(a.flip) - rank(b.flip) || rank(a.scalar) - rank(b.scalar);
  }
  if (!isGroup(a) || !isGroup(b)) return -1;
  if (a.type !== b.type) return compareText(a.type, b.type);
  const count = Math.min(a.conditions.length, b.conditions.length);
  for (let i = 0; i < count; i++) {
    const order = compareConditions(a.conditions[i], b.conditions[i]);
    if (order !== 0) return order;
  }
  return a.conditions.length - b.conditions.length;
}

function sortGroups(condition) {
  if (condition.type === 'simple') return condition;
  if (isGroup(condition)) {
    return {
      type: condition.type,
      conditions: condition.conditions.map(sortGroups).sort(compareConditions),
    };
  }
  const {related} = condition;
  return {...condition, related: {...related, subquery: normalize(related.subquery)}};
}

function normalize(query) {
  const where = query.where && flatten(query.where);
  return {
    schema: query.schema,
    table: query.table,
    alias: query.alias,
    where: where && sortGroups(where),
    related: query.related
      ?.map(entry => ({
        correlation: entry.correlation,
        hidden: entry.hidden,
        subquery: normalize(entry.subquery),
        system: entry.system,
      }))
      .sort((a, b) => compareText(a.subquery.alias, b.subquery.alias)),
    start: query.start,
    limit: query.limit,
    orderBy: query.orderBy,
  };
}

function hashAll(queries) {
  return queries.map(query => hash64(JSON.stringify(normalize(query))));
}

function pattern(text, flags) {
  const source = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/%/g, '.*').replace(/_/g, '.');
  return new RegExp(`^${source}$`, `s${flags}`);
}

function operation(op, right) {
  switch (op) {
    case '=': return left => left === right;
    case '>=': return left => left >= right;
    case 'IN': {
      const members = new Set(right);
      return left => members.has(left);
    }
    case 'LIKE': {
      const match = pattern(right, '');
      return left => match.test(left);
    }
    case 'ILIKE': {
      const match = pattern(right, 'i');
      return left => match.test(left);
    }
    default: throw new Error(`unknown operator ${op}`);
  }
}

function predicate(condition) {
  if (isGroup(condition)) {
    const members = condition.conditions.map(predicate);
    return condition.type === 'and'
      ? row => members.every(member => member(row)) : row => members.some(member => member(row));
  }
  const {name} = condition.left;
  const {value} = condition.right;
  if (condition.op === 'IS') return row => row[name] === value;
  const decide = operation(condition.op, value);
  return row => {
    const left = row[name];
    return left === null || left === undefined ? false : decide(left);
  };
}

function makeRows(count) {
  return Array.from({length: count}, (_, i) => ({
    id: `issue-${i}`,
    title: `A title with some words, number ${i}`,
    priority: i % 10,
    open: i % 3 === 0,
    owner: i % 4 === 0 ? null : `user-${i % 50}`,
  }));
}

function timed(work) {
  const start = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - start) / 1e9;
}

let queries = [];
let rows = [];
let matches = () => true;
let sink = 0;

function countMatches() {
  let count = 0;
  for (const row of rows) if (matches(row)) count++;
  sink += count;
  return count;
}

const commands = {
  load(path) {
    queries = JSON.parse(readFileSync(path, 'utf8'));
    return hashAll(queries).join(' ');
  },
  hash: () => timed(() => (sink += hashAll(queries).length)),
  match(argument) {
    const space = argument.indexOf(' ');
    const count = Number(argument.slice(0, space));
    if (rows.length !== count) rows = makeRows(count);
    matches = predicate(JSON.parse(argument.slice(space + 1)));
    return countMatches();
  },
  rematch: () => timed(countMatches),
};

createInterface({input: process.stdin}).on('line', line => {
  const space = line.indexOf(' ');
  const name = space < 0 ? line : line.slice(0, space);
  console.log(commands[name](space < 0 ? '' : line.slice(space + 1)));
});
