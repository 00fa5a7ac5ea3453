/* npm run bench [NAME …]: measures the built panel in Chromium and prints figures beside their raw limits. */
import { mkdir, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { ownRunFolder } from '../../build/scripts/run-folder.js'
import { benchAfterWork } from './after-work.ts'
import { benchAreas } from './areas.ts'
import { benchHostsSftp } from './areas/hosts-sftp.ts'
import { benchBackups } from './backups.ts'
import { benchConsole } from './console.ts'
import { benchEcho } from './echo.ts'
import { benchEngines } from './engines.ts'
import { benchFiles } from './files.ts'
import { benchFloods } from './floods.ts'
import { benchHosts } from './hosts.ts'
import { benchIdle } from './idle.ts'
import { benchLoad } from './load.ts'
import { benchOpen } from './open.ts'
import { startBench, type Bench } from './panel.ts'
import { figuresFolder } from './measured.ts'
import { benchServers } from './servers.ts'
import { benchStart } from './start.ts'
import { report, type Outcome } from './table.ts'

/** Each has a panel, a service and a data folder of its own, so that none measures what another left behind. */
async function inPanel(measure: (bench: Bench) => Promise<Outcome>): Promise<Outcome> {
  const bench = await startBench()
  try {
    return await measure(bench)
  } finally {
    await bench.close()
  }
}

const benches: Record<string, () => Promise<Outcome>> = {
  console: () => inPanel(benchConsole),
  echo: () => inPanel(benchEcho),
  load: () => inPanel(benchLoad),
  open: () => inPanel(benchOpen),
  files: () => inPanel(benchFiles),
  memory: () => inPanel(benchAfterWork),
  areas: () => inPanel(benchAreas),
  servers: benchServers,
  backups: benchBackups,
  start: benchStart,
  'hosts-sftp': benchHostsSftp,
  idle: benchIdle,
  floods: () => inPanel(benchFloods),
  hosts: benchHosts,
}

/** In namespaces of their own, which `npm run bench engines` makes. */
const apart: Record<string, () => Promise<Outcome>> = { engines: benchEngines }
const all = { ...benches, ...apart }

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in all))
if (unknown.length > 0) {
  process.stderr.write(
    `There is no bench named ${unknown.join(', ')}. There are: ${Object.keys(all).join(', ')}.\n`,
  )
  process.exit(2)
}

ownRunFolder()
const outcomes: Outcome[] = []
for (const name of wanted.length > 0 ? wanted : Object.keys(benches)) {
  process.stderr.write(`${name}\n`)
  const began = performance.now()
  outcomes.push(await all[name]!())
  process.stderr.write(`  ${name}: ${((performance.now() - began) / 1000).toFixed(0)} s\n`)
}

const { table, last, ok } = report(outcomes)
await mkdir(figuresFolder, { recursive: true })
const file = join(figuresFolder, `${outcomes.map((outcome) => outcome.bench).join('-')}.json`)
const machine = { cpus: cpus().length, model: cpus()[0]?.model, memory: totalmem(), node: process.version }
await writeFile(file, `${JSON.stringify({ at: new Date().toISOString(), machine, outcomes }, null, 2)}\n`)
process.stdout.write(`\n${table}\n\nFigures: ${file}\n${last}\n`)
process.exitCode = ok ? 0 : 1
