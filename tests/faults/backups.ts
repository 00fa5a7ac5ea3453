import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { CatalogServer } from '../doubles/catalogs/catalog-server.ts'
import { gamePorts } from '../fixtures/game-ports.ts'
import { killDuring, PATIENCE } from './changes.ts'
import type { Case } from './case.ts'
import { Host } from './host.ts'
import { AT_REST, offerVersions, treeOf, versionOf } from './installs.ts'
import { Servers } from './servers.ts'

const MB = 1024 * 1024
const ENDED = ['done', 'failed']

interface Listed {
  id: string
  state: string
  progress?: object | null
  tried?: { result: string } | null
}

async function withWorld(it: Case) {
  const catalogs = await CatalogServer.start()
  it.stage.atEnd(() => catalogs.stop())
  await offerVersions(catalogs, it, 1)
  const host = await Host.start(it.stage, { catalogs: catalogs.settings })
  const servers = await Servers.of(host)
  const id = await servers.create({ software: 'paper', version: versionOf(0) })
  await servers.until(id, AT_REST)
  const world = path.join(servers.folderOf(id), 'world')
  const fill = async () => {
    await mkdir(path.join(world, 'region'), { recursive: true })
    for (let number = 0; number < 40; number++)
      await writeFile(
        path.join(world, `region/r.${number}.0.mca`),
        it.chance.bytes().update(Buffer.alloc(MB / 2)),
      )
    return treeOf(world)
  }
  const list = async () => ((await servers.ask('GET', `/servers/backups/${id}`)) as { items: Listed[] }).items
  /** Nothing is being done any more. */
  const settled = async () => {
    const end = Date.now() + PATIENCE
    for (;;) {
      const all = await list()
      if (all.every(({ state, progress }) => ENDED.includes(state) && !progress)) return all
      if (Date.now() > end) throw new Error('The work on backups does not end.')
      await after(5)
    }
  }
  const backUp = async () => ((await servers.ask('POST', `/servers/backups/${id}`, {})) as { id: string }).id
  const timed = async (work: () => Promise<unknown>) => {
    const began = performance.now()
    await work()
    return performance.now() - began
  }
  return { host, servers, id, world, fill, list, settled, backUp, timed }
}

/**
 * The service ends without a word while a running server is backed up; started again, what was whole is sound, no half is
 * left, and the server saves.
 */
export async function backupKilled(it: Case): Promise<void> {
  const { host, servers, id, fill, list, settled, backUp, timed } = await withWorld(it)
  await fill()
  const first = await backUp()
  await settled()
  await servers.ask('PATCH', `/servers/backups/${id}/${first}`, { locked: true })
  // It runs while other cases start theirs.
  await servers.ask('POST', `/servers/port/${id}`, { port: gamePorts() + 50 })
  await servers.power(id, 'start')
  await servers.until(id, ['online'])
  const whole = await timed(async () => {
    await backUp()
    await settled()
  })
  for (let round = 0; round < (it.long ? 20 : 2); round++) {
    await killDuring(it, host, whole, backUp)
    await host.start()
    await servers.until(id, ['offline', 'crashed'], PATIENCE)
    await settled()
    const names = await readdir(path.join(host.data, 'backups', id))
    const halves = names.filter((name) => name.endsWith('.new'))
    if (halves.length > 0) it.half.push(`after the kill: ${halves.join(', ')}`)
    for (const { id: one, state } of await list())
      if ((state === 'done') !== names.includes(`${one}.tar.zst`)) it.lost.push(`${one} is ${state}`)
    await servers.ask('POST', `/servers/backups/try/${id}`, { backup: first })
    const tried = (await settled()).find((one) => one.id === first)?.tried
    if (tried?.result !== 'sound') it.lost.push('The first backup is not sound.')
    await servers.power(id, 'start')
    await servers.until(id, ['online'])
    await servers.ask('POST', `/servers/command/${id}`, { command: 'save-on' })
    const end = Date.now() + PATIENCE
    let said = ''
    while (!/(already turned on|now enabled)$/m.test(said) && Date.now() < end) {
      said = (await servers.said(id)).slice(-3).join('\n')
      await after(5)
    }
    it.expect(said.includes('already turned on'), `Saving was off after the kill: ${said}`)
  }
}

/** The service ends without a word while a backup is brought back; started again, the world is that of before or of then. */
export async function bringBackKilled(it: Case): Promise<void> {
  const { host, servers, id, world, fill, settled, backUp, timed } = await withWorld(it)
  const then = await fill()
  const backup = await backUp()
  await settled()
  await fill()
  const bringBack = (paths?: string[]) =>
    servers.ask('POST', `/servers/backups/restore/${id}`, { backup, to: 'here', ...(paths && { paths }) })
  const atRest = async () => {
    await servers.until(id, AT_REST, PATIENCE)
    await settled()
  }
  const whole = await timed(async () => {
    await bringBack()
    await atRest()
  })
  it.expect((await treeOf(world)) === then, 'The backup was not brought back.')
  const seen = { before: 0, then: 0 }
  for (let round = 0; round < (it.long ? 20 : 4); round++) {
    const now = await fill()
    // Everything, and a part, by turns.
    await killDuring(it, host, whole, () => bringBack(round % 2 === 0 ? undefined : ['world/region']))
    await host.start()
    await atRest()
    const there = existsSync(world) ? await treeOf(world) : 'nothing'
    if (there !== now && there !== then) it.half.push(`after kill ${round}: the world is mixed`)
    seen[there === then ? 'then' : 'before'] += 1
  }
  it.note(
    `When the service was killed, the backup was back ${seen.then} times and not yet ${seen.before} times.`,
  )
}
