import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { systemUnit } from './system-unit.ts'

/** A launchd that knows an agent or not, which runs or not, and writes down what it is told. */
async function launchd() {
  const dataDir = await mkdtemp(join(tmpdir(), 'launchd-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const told: string[] = []
  const job = { isKnown: false, isRunning: false }
  const run = async (_file: string, [verb = '']: readonly string[]) => {
    if (verb !== 'print') told.push(verb)
    if (verb === 'print' && !job.isKnown) throw new Error('Could not find service')
    if (verb === 'bootstrap') job.isKnown = true
    if (verb === 'bootout') job.isKnown = job.isRunning = false
    if (verb === 'kickstart') job.isRunning = true
    const stdout = job.isRunning ? 'x = {\n\tstate = running\n\tpid = 4711\n}\n' : 'x = {\n\truns = 0\n}\n'
    return { stdout }
  }
  const unit = (program: string) =>
    systemUnit({ platform: 'darwin', env: {}, dataDir, program: [program], run })!
  return { unit, told, job, dataDir }
}

it('launchd is not told to forget an agent that runs: it would end it, with its servers', async () => {
  const { unit, told, job, dataDir } = await launchd()
  await unit('/old').start()
  await unit('/new').prepare()
  await unit('/new').remove()
  expect(told).toEqual(['bootstrap', 'kickstart'])
  expect(await readdir(dataDir)).toEqual([])
  job.isRunning = false
  await unit('/new').prepare()
  await unit('/new').remove()
  expect(told.slice(2)).toEqual(['bootout', 'bootstrap', 'bootout'])
})
