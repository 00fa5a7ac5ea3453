/**
 * npm run faults [-- --seed N] [--long] [--at-once N] [name …]: breaks what can break while files are on their way, and
 * counts what is lost. The last line is `N tried, N survived, lost: N`.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ownRunFolder } from '../../build/scripts/run-folder.js'
import { answers } from './answers.ts'
import { backupKilled, bringBackKilled } from './backups.ts'
import { backupDiskFull, backupsDamaged } from './backup-stores.ts'
import { big } from './big.ts'
import { Case } from './case.ts'
import { Chance } from './chance.ts'
import { changeKilled, updateKilled } from './changes.ts'
import { crowd } from './crowd.ts'
import { cuts } from './cuts.ts'
import { damaged } from './damaged.ts'
import { enginesKilled } from './engines.ts'
import { machinesLost } from './machines.ts'
import { panelDiskFull, serviceDiskFull } from './full.ts'
import { hostConsoleCut } from './host-console.ts'
import { hostUploadsCut } from './host-uploads.ts'
import { hostile } from './hostile.ts'
import { greedy } from './greedy.ts'
import { greedyAnswers, greedyCatalogs } from './greedy-answers.ts'
import { downloadKilled, installKilled } from './installs.ts'
import { importKilled, packKilled } from './moves-in.ts'
import { sleepFlooded } from './sleep-flood.ts'
import { fallAsleepKilled, sleepKilled } from './sleeps.ts'
import { panelKilled, serviceKilled } from './kills.ts'
import { mutated } from './mutated.ts'
import { type Outcome, report } from './report.ts'
import { Stage } from './stage.ts'

/** Those that wait most come first, so that the others run beside them. */
const faults: Record<string, (it: Case) => Promise<void>> = {
  answers,
  hostile,
  damaged,
  'panel-killed': panelKilled,
  'service-killed': serviceKilled,
  'download-killed': downloadKilled,
  'install-killed': installKilled,
  'change-killed': changeKilled,
  'update-killed': updateKilled,
  'pack-killed': packKilled,
  'import-killed': importKilled,
  'sleep-killed': sleepKilled,
  'fall-asleep-killed': fallAsleepKilled,
  'sleep-flooded': sleepFlooded,
  'host-console-cut': hostConsoleCut,
  'host-uploads-cut': hostUploadsCut,
  'backup-killed': backupKilled,
  'bring-back-killed': bringBackKilled,
  cuts,
  crowd,
  big,
  'service-disk-full': serviceDiskFull,
  'backup-disk-full': backupDiskFull,
  'backups-damaged': backupsDamaged,
  'panel-disk-full': panelDiskFull,
}
/** They measure how long things take, so nothing else may run beside them: they come last, one by one. */
const alone: Record<string, (it: Case) => Promise<void>> = {
  greedy,
  'greedy-answers': greedyAnswers,
  'greedy-catalogs': greedyCatalogs,
}
/** What `npm test` runs among the unit tests and the journeys: by itself only in the long form. They fill the machine. */
const longAlone: Record<string, (it: Case) => Promise<void>> = { mutated }
/** In namespaces of their own, which `npm run faults` makes if one of them is named. */
const apart: Record<string, (it: Case) => Promise<void>> = { engines: enginesKilled, machines: machinesLost }
const all = { ...faults, ...apart, ...longAlone, ...alone }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    long: { type: 'boolean', default: false },
    'at-once': { type: 'string', default: '3' },
  },
})
const unknown = positionals.filter((name) => !(name in all))
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const atOnce = Number(values['at-once'])
if (unknown.length > 0 || !Number.isSafeInteger(seed) || !(atOnce >= 1)) {
  process.stderr.write(
    unknown.length > 0
      ? `There is no fault named ${unknown.join(', ')}. There are: ${Object.keys(all).join(', ')}.\n`
      : 'The seed is a whole number, and --at-once a number from 1 on.\n',
  )
  process.exit(2)
}

const usual = Object.keys(all).filter((name) => !(name in apart) && (values.long || !(name in longAlone)))
const wanted = positionals.length > 0 ? [...new Set(positionals)] : usual
const waiting = wanted.filter((name) => name in faults)
const outcomes: Outcome[] = []
process.stdout.write(`Seed ${seed}\n`)
ownRunFolder()

const open = new Set<Stage>()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    // Programs have process groups of their own, and a small disk stays mounted: both would be left behind.
    void Promise.allSettled([...open].map((stage) => stage.close())).then(() => process.exit(1))
  })

async function run(name: string): Promise<void> {
  const began = performance.now()
  const stage = await Stage.open()
  open.add(stage)
  const it = new Case(new Chance(seed, name), values.long, stage)
  try {
    await all[name]?.(it)
  } catch (error) {
    it.wrong.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
  it.wrong.push(...stage.warnings())
  const seconds = (performance.now() - began) / 1000
  if (!it.isWhole) process.stderr.write(`\n${name}\n${await stage.said()}\n`)
  await stage.close()
  open.delete(stage)
  const { tried, lost, doubled, half, wrong, skipped, notes } = it
  outcomes.push({ name, tried, lost, doubled, half, wrong, skipped, notes, seconds })
  process.stdout.write(`${name}: ${it.isWhole ? 'survived' : 'FAILED'} (${seconds.toFixed(1)} s)\n`)
}

const lane = async () => {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await run(name)
}
await Promise.all(Array.from({ length: atOnce }, lane))
for (const name of wanted) if (name in alone || name in longAlone || name in apart) await run(name)

const { table, last, ok } = report(outcomes, { seed, long: values.long })
const folder = join(import.meta.dirname, '../../test-results')
await mkdir(folder, { recursive: true })
await writeFile(
  join(folder, 'faults.json'),
  `${JSON.stringify({ seed, long: values.long, outcomes }, null, 2)}\n`,
)
process.stdout.write(`\n${table}\n${last}\n`)
// What a failed case left open must not keep the run from ending.
process.exit(ok ? 0 : 1)
