// JSON.parse of the same texts. Reads lines of commands, answers each with the seconds its work took.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const files = new Map();
function lines(path) {
  if (!files.has(path)) files.set(path, readFileSync(path, 'utf8').split('\n'));
  return files.get(path);
}

let sink;
const commands = {
  parseParts(path) {
    const texts = lines(path);
    return () => { sink = texts.map((text) => JSON.parse(text)); };
  },
  parseWhole(path) {
    const [text] = lines(path);
    return () => { sink = JSON.parse(text); };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [name, path] = line.split(' ');
  const work = commands[name](path);
  const start = process.hrtime.bigint();
  work();
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  sink = undefined;
  process.stdout.write(seconds + '\n');
}
