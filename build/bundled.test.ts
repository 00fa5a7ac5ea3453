import { expect, it } from 'vitest'
import { builtinsByName } from './bundled.js'

/** What becomes of a line of a chunk. */
function written(line: string): string {
  const { renderChunk } = builtinsByName() as unknown as { renderChunk: (code: string) => { code: string } }
  return renderChunk(line).code
}

it.each([
  ['import fs from "node:fs";', 'const fs = globalThis.process.getBuiltinModule("node:fs");'],
  ['import * as path from "path";', 'const path = globalThis.process.getBuiltinModule("path");'],
  [
    'import { readFile, stat as statOf } from "node:fs/promises";',
    'const { readFile, stat: statOf } = globalThis.process.getBuiltinModule("node:fs/promises");',
  ],
  [
    'import net, { connect } from "node:net";',
    'const net = globalThis.process.getBuiltinModule("node:net"), { connect } = net;',
  ],
  [
    'import { default as $fs } from "node:fs";',
    'const $fs = globalThis.process.getBuiltinModule("node:fs");',
  ],
  [
    'import process from "node:process";',
    'const process = globalThis.process.getBuiltinModule("node:process");',
  ],
  // No start hashes anything: the module is loaded with the first call.
  [
    'import { createHash, randomUUID as newId } from "node:crypto";',
    'const createHash = (...given) => globalThis.process.getBuiltinModule("node:crypto").createHash(...given), ' +
      'newId = (...given) => globalThis.process.getBuiltinModule("node:crypto").randomUUID(...given);',
  ],
  // A class is no function that another could stand for, nor is what `promisify` treats in a way of its own.
  [
    'import { ServerResponse, createServer } from "node:http";',
    'const { ServerResponse, createServer } = globalThis.process.getBuiltinModule("node:http");',
  ],
  [
    'import { generateKeyPair } from "node:crypto";',
    'const { generateKeyPair } = globalThis.process.getBuiltinModule("node:crypto");',
  ],
  // What is not Node's own stays.
  ['import { app } from "electron";', 'import { app } from "electron";'],
  ['import { t as z } from "./shared-schemas.js";', 'import { t as z } from "./shared-schemas.js";'],
  ['import "node:fs";', 'import "node:fs";'],
  ['const text = `import fs from "node:fs";`', 'const text = `import fs from "node:fs";`'],
])('%s becomes %s', (line, expected) => {
  expect(written(line)).toBe(expected)
})
