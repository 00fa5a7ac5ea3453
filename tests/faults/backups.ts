import { existsSync } from 'node:fs'
import { BackupWorld } from './backup-world.ts'
import type { Case } from './case.ts'
import { killDuring, PATIENCE } from './changes.ts'
import { AT_REST, treeOf } from './installs.ts'
import { rulesKilled } from './rules.ts'

/** So often in the long form, with each engine by turns. */
const LONG = 40

/**
 * The service ends without a word while a running server is backed up, while backups are deleted, and while a rule runs;
 * started again, what was whole is sound, no half is left, and the server saves.
 */
export async function backupKilled(it: Case): Promise<void> {
  const world = await BackupWorld.open(it)
  await world.fill()
  const first = [await world.backUp(world.engineOf(0)), await world.backUp(world.engineOf(1))]
  await backUpsKilled(world, first)
  await rulesKilled(world)
  await world.reaches('offline')
  await deletionsKilled(world, first)
}

async function backUpsKilled(world: BackupWorld, first: readonly string[]): Promise<void> {
  const { it } = world
  await world.reaches('online')
  for (let round = 0; round < (it.long ? LONG : 2); round++) {
    const engine = world.engineOf(round)
    await world.use(engine)
    await world.fill()
    await killDuring(it, world.host, world.takes[engine], () => world.begin())
    await world.startAgain()
    await world.expectSound()
    const tried = await world.try(first[round % 2]!)
    if (tried !== 'sound') it.lost.push(`The first ${engine} backup is ${tried}.`)
    await world.expectSaving()
  }
}

/** One is deleted, or a new one ends what the rule no longer keeps. */
async function deletionsKilled(world: BackupWorld, kept: readonly string[]): Promise<void> {
  const { it } = world
  const seen = { deleted: 0, there: 0 }
  for (let round = 0; round < (it.long ? LONG : 2); round++) {
    const engine = world.engineOf(round)
    await world.fill()
    const old = await world.backUp(engine)
    await world.give(old)
    const isPruned = isSecond(round)
    await world.use(engine, isPruned ? NONE : MANY)
    const remove = async () =>
      void world.servers.ask('DELETE', `/servers/backups/${world.id}/${old}`).catch(() => undefined)
    await (isPruned
      ? killDuring(it, world.host, 2 * world.takes[engine], () => world.begin())
      : killDuring(it, world.host, engine === 'restic' ? 1.5 * world.takes.restic : 30, remove))
    await world.startAgain()
    await world.use(engine, MANY)
    await world.expectSound()
    const still = (await world.list()).find(({ id }) => id === old)
    seen[still ? 'there' : 'deleted'] += 1
    if (still?.state === 'done' && (await world.try(old)) !== 'sound') it.half.push(`${engine} ${old}`)
    if (still) await world.servers.ask('DELETE', `/servers/backups/${world.id}/${old}`)
    const sound = await world.try(kept[round % 2]!)
    if (sound !== 'sound') it.lost.push(`The kept ${engine} backup is ${sound}.`)
    await world.expectSound()
  }
  it.note(
    `When the service was killed, the backup was deleted ${seen.deleted} times and not ${seen.there} times.`,
  )
}

/** Of two ways of doing it: with turns of engines, all four come. */
const isSecond = (round: number) => round % 4 === 1 || round % 4 === 2

const MANY = { last: 100, hourly: 0, daily: 0, weekly: 0, monthly: 0 }
const NONE = { ...MANY, last: 0 }

/**
 * The service ends without a word while a backup is brought back, and while it is found out whether a server starts from
 * it; started again, the world is that of before or of then, and nothing of the trial runs on or stays.
 */
export async function bringBackKilled(it: Case): Promise<void> {
  const world = await BackupWorld.open(it)
  const then = await world.fill()
  const backups = [await world.backUp(world.engineOf(0)), await world.backUp(world.engineOf(1))]
  // Everything, and a part, by turns; each from both engines.
  const bringBack = (round: number) =>
    world.servers.ask('POST', `/servers/backups/restore/${world.id}`, {
      ...{ backup: backups[round % 2], to: 'here' },
      ...(isSecond(round) && { paths: ['world/region'] }),
    })
  const atRest = async () => {
    await world.servers.until(world.id, AT_REST, PATIENCE)
    await world.settled()
  }
  const seen = { before: 0, then: 0 }
  for (let round = 0; round < (it.long ? LONG : 2); round++) {
    const now = await world.fill()
    await world.use(world.engineOf(round))
    await killDuring(it, world.host, world.takes[world.engineOf(round)] * 1.5, () => bringBack(round))
    await world.host.start()
    await atRest()
    const there = existsSync(world.folder) ? await treeOf(world.folder) : 'nothing'
    if (there !== now && there !== then) it.half.push(`after kill ${round}: the world is mixed`)
    seen[there === then ? 'then' : 'before'] += 1
    await world.expectSound()
  }
  it.note(
    `When the service was killed, the backup was back ${seen.then} times and not yet ${seen.before} times.`,
  )
  await trialsKilled(world, backups)
}

async function trialsKilled(world: BackupWorld, backups: readonly string[]): Promise<void> {
  const { it } = world
  for (let round = 0; round < (it.long ? LONG / 2 : 1); round++) {
    const backup = backups[round % 2]!
    const begin = () => world.servers.ask('POST', `/servers/backups/try/${world.id}`, { backup, start: true })
    await killDuring(it, world.host, 2 * world.takes[world.engineOf(round)], begin)
    await world.host.start()
    // At once: what the killed service started may still be ending.
    const tried = await world.try(backup, true)
    it.expect(tried === 'started', `After the kill the backup is ${tried}.`)
    await world.expectSound()
  }
}
