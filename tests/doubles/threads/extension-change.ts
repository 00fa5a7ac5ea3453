// A stand-in for a service that changes extensions. Before each step on the disk it keeps what a kill would leave there.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { workerData } from 'node:worker_threads'
import { changeAll, openExtensions } from '../../../src/service/areas/extensions/changes.fixture.ts'

const { folder, kept } = workerData as { folder: string; kept: string }
const extensions = await openExtensions(folder)
const own = { ...fs }

/** The same files under other folders: they stay what they are, and nobody writes into one. */
function keep(from: string, to: string): void {
  own.mkdirSync(to, { recursive: true })
  for (const entry of own.readdirSync(from, { withFileTypes: true })) {
    const [at, copy] = [path.join(from, entry.name), path.join(to, entry.name)]
    if (entry.isDirectory()) keep(at, copy)
    else own.linkSync(at, copy)
  }
}

let count = 0
for (const name of [
  'renameSync',
  'linkSync',
  'unlinkSync',
  'mkdirSync',
  'writeFileSync',
  'rmSync',
] as const) {
  const real = own[name] as (...given: unknown[]) => unknown
  const kill = (...given: unknown[]) => {
    keep(folder, path.join(kept, String(++count)))
    return real(...given)
  }
  Object.assign(fs, { [name]: kill })
}
syncBuiltinESMExports()

await changeAll(extensions)
keep(folder, path.join(kept, String(++count)))
