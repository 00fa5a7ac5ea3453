import { cpSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Case } from './case.ts'
import { ACCOUNT, hashesOfHosts } from './host.ts'
import { Panel, Refused } from './panel.ts'

/** How a file is ruined while its program has it open. */
const ways = ['overwritten', 'deleted'] as const
type Way = (typeof ways)[number]

/** Databases are ruined under the running programs: every call is answered, and both end when they are told to. */
export function damagedWhileRunning(
  it: Case,
  kept: { panel: string; service: string },
): (() => Promise<void>)[] {
  const tries = ways.flatMap((way) => [
    () => panelRuns(it, kept.panel, 'cache.db', way),
    () => panelRuns(it, kept.panel, 'transfers.db', way),
    () => serviceRuns(it, kept.service, way),
  ])
  return tries.map((one) => async () => {
    it.tried += 1
    await one().catch((error: unknown) => it.wrong.push(`While running: ${String(error)}`))
  })
}

async function panelRuns(it: Case, from: string, file: string, way: Way): Promise<void> {
  const what = `running panel, ${file} ${way}`
  const data = it.stage.at(`running panel ${file} ${way}`)
  cpSync(from, data, { recursive: true })
  it.stage.own(data)
  const panel = await Panel.start(it.stage, data)
  const [connectionId = ''] = (await panel.call('connections.list', undefined)).map(({ id }) => id)
  ruin(path.join(data, file), way)
  const server = { connectionId, serverId: 's' }
  // Whatever each of them answers, it does, and in words.
  const calls = [
    () => panel.call('settings.change', { theme: 'dark' }),
    () =>
      panel.call('files.keep-draft', { ...server, path: 'b', text: 'x'.repeat(50_000), etag: null, at: 1 }),
    () => panel.call('console.commands', server),
    () => panel.call('transfers.limit', { limit: 2048, atOnce: 1 }),
    () => panel.call('transfers.list', undefined),
    () => panel.call('connections.list', undefined),
  ]
  for (const call of calls)
    try {
      await call()
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      it.expect(error.problem.message !== 'The panel has ended.', `${what}: the panel has ended.`)
      if (error.problem.serviceCode === 'computer.database') it.expectSaid(error.problem, ['internal'])
    }
  const code = await panel.end()
  it.expect(code === 0, `${what}: the panel ended with ${code}.`)
  // What was deleted is written again; what was overwritten is told and set aside.
  const again = await Panel.start(it.stage, data)
  const notes = await again.call('app.notes', undefined)
  if (way === 'deleted') it.expect(notes.length === 0, `${what}: afterwards it says ${notes[0]?.message}`)
  await again.end()
}

async function serviceRuns(it: Case, from: string, way: Way): Promise<void> {
  const what = `running service, ${way}`
  const data = it.stage.at(`running service ${way}`)
  cpSync(from, data, { recursive: true })
  it.stage.own(data)
  const program = it.stage.start('service', ['--data', data, '--port', '0'], undefined, hashesOfHosts)
  const baseUrl = await program.says(/^Service: (\S+)$/m)
  ruin(path.join(data, 'service.db'), way)
  for (let round = 0; round < 3; round++) {
    const answer = await fetch(`${baseUrl}/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(ACCOUNT),
    })
    const { error } = (await answer.json()) as { error?: { code: string } }
    it.expect(!error || error.code === 'service.data-damaged', `${what}: it answers ${error?.code}.`)
  }
  it.expect(program.ending === null, `${what}: the service has ended.`)
  await program.end()
  if (way !== 'deleted') return
  const again = it.stage.start('service', ['--data', data, '--port', '0'], undefined, hashesOfHosts)
  await again.says(/^Service: (\S+)$/m).catch(() => it.lost.push(`${what}: the database`))
}

function ruin(file: string, way: Way): void {
  if (way === 'deleted') for (const one of [file, `${file}-wal`, `${file}-shm`]) rmSync(one, { force: true })
  else writeFileSync(file, Buffer.alloc(statSync(file).size, 0xa5))
}
