import { FLOOD } from '../../../tests/doubles/flood-script.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { StreamedPiece } from '../../contract/bridge/values.ts'
import { gamePorts } from '../../../tests/fixtures/game-ports.ts'
import { nodeLauncher } from '../local/node-launcher.ts'
import { openWindow, testPorts } from './panel.fixture.ts'
import { createPanel, type Panel } from './panel.ts'

// The real service as a child process; `flood` is its software for tests, a program that prints what it is told.
process.env['WHEELHOUSE_SCRIPT'] = FLOOD
process.env['WHEELHOUSE_FIRST_GAME_PORT'] = String(gamePorts())

let folder: string
let panel: Panel
let open: Panel[]

async function start(): Promise<Panel> {
  panel = await createPanel(testPorts(folder))
  open.push(panel)
  return panel
}

const textsOf = (pieces: StreamedPiece[]) =>
  pieces.flatMap((piece) => (piece.kind === 'lines' ? piece.batch.texts : [`${piece.kind} …${piece.to}`]))

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'panel-'))
  open = []
})
afterEach(async () => {
  for (const one of open) await one.close()
  await rm(folder, { recursive: true, force: true })
})

const flood = { name: 'Flood', software: { id: 'flood', version: '1' }, memoryMb: 256 }

async function runningServer() {
  await start()
  const window = openWindow(panel)
  const connection = await window.call('connections.this-computer', undefined)
  const server = await window.send('servers.create', { connectionId: connection.id, body: flood })
  await window.view('servers.list', { connectionId: connection.id })
  const ref = { connectionId: connection.id, serverId: server!.id }
  await window.call('console.watch', { ...ref, limit: 100 })
  const at = { connectionId: ref.connectionId, params: { serverId: ref.serverId } }
  await window.send('servers.power', { ...at, body: { action: 'start' } })
  await window.until(
    'view',
    (event) => event.view === 'servers.status' && event.now.value?.status === 'online',
  )
  return { ...window, ref }
}

describe('the panel with the service built in', () => {
  it('goes from nothing to a running server whose console answers a command', async () => {
    const { call, until, ref } = await runningServer()
    await call('console.command', { ...ref, command: 'say hello' })
    const heard = await until('console', ({ pieces }) =>
      textsOf(pieces).some((text) => text.endsWith('[Server] hello')),
    )
    expect(heard).toMatchObject(ref)
    expect(await call('console.commands', ref)).toEqual(['say hello'])
  })

  it('pages through every line of a flood exactly once and in order', async () => {
    const { call, until, ref } = await runningServer()
    await call('console.command', { ...ref, command: 'flood 30000' })
    const last = await until('console', ({ pieces }) =>
      textsOf(pieces).some((text) => text.endsWith('Flood of 30000 lines is over')),
    )
    const piece = last.pieces.at(-1)
    if (piece?.kind !== 'lines') throw new Error('the last piece holds lines')
    const ids: number[] = []
    const { epoch } = piece.batch
    let before = `${epoch}-${piece.batch.firstSeq + piece.batch.texts.length}`
    for (;;) {
      const page = await call('console.page', { ...ref, before, limit: 7000 })
      const batches = page.pieces.map((one) => {
        if (one.kind === 'gap') throw new Error(`a gap from ${one.from} to ${one.to}`)
        return one.batch
      })
      const first = batches[0]
      if (!first) break
      ids.unshift(...batches.flatMap((batch) => batch.texts.map((_, at) => batch.firstSeq + at)))
      before = `${epoch}-${first.firstSeq}`
    }
    expect(ids.length).toBeGreaterThan(30_000)
    expect(ids.every((id, at) => at === 0 || id === (ids[at - 1] ?? 0) + 1)).toBe(true)
  })

  it('shows list, status and console from the cache after a restart, and lines missed meanwhile', async () => {
    const first = await runningServer()
    await first.call('console.command', { ...first.ref, command: 'say remembered' })
    await first.until('console', ({ pieces }) =>
      textsOf(pieces).some((text) => text.includes('[Server] remembered')),
    )
    await panel.close()
    await start()
    const { call, view, until } = openWindow(panel)
    const { pieces } = await call('console.watch', { ...first.ref, limit: 1000 })
    expect(textsOf(pieces).join('\n')).toContain('[Server] remembered')
    expect((await view('servers.list', { connectionId: 'local' })).value?.items[0]?.name).toBe('Flood')
    // The service was stopped with the panel, so its last words came when nobody watched.
    await until('console', ({ state }) => state === 'live')
    await until(
      'view',
      (event) => event.view === 'servers.list' && event.now.value?.items[0]?.status === 'offline',
    )
  })

  it('starts the service again once when it dies, and says so meanwhile', async () => {
    let launched = 0
    const kills: (() => void)[] = []
    panel = await createPanel({
      ...testPorts(folder),
      launcher: {
        launch: (args) => {
          launched++
          const child = nodeLauncher.launch(args)
          kills.push(() => child.kill())
          return child
        },
      },
    })
    open.push(panel)
    const { call, until, seen } = openWindow(panel)
    await call('connections.this-computer', undefined)
    await until('connections', (list) => list[0]?.state.kind === 'ready')
    kills[0]?.()
    await until('connections', (list) => list[0]?.state.kind === 'offline')
    const died = seen.length
    await until('connections', (list) => list[0]?.state.kind === 'ready', died)
    expect(launched).toBe(2)
  })

  it('answers although the transfers of last time cannot be written yet, and those once they can', async () => {
    await (await start()).close()
    const holder = new DatabaseSync(join(folder, 'transfers.db'))
    holder.exec('BEGIN IMMEDIATE')
    await start()
    const { call } = openWindow(panel)
    expect(await call('connections.list', undefined)).toEqual([])
    await expect(call('transfers.list', undefined)).rejects.toMatchObject({ problem: { code: 'internal' } })
    holder.exec('ROLLBACK')
    holder.close()
    expect(await call('transfers.list', undefined)).toMatchObject({ items: [] })
  })

  it('answers a call it does not have, and input that does not fit, with a problem', async () => {
    await start()
    const { link } = openWindow(panel)
    expect(await panel.call('secrets.read', {}, link)).toMatchObject({
      ok: false,
      problem: { code: 'refused' },
    })
    expect(await panel.call('toString', {}, link)).toMatchObject({ ok: false, problem: { code: 'refused' } })
    const wrong = { operation: 'servers.create', connectionId: 'local', body: { ...flood, name: '' } }
    expect(await panel.call('operation.send', wrong, link)).toMatchObject({
      ok: false,
      problem: {
        ...{ code: 'invalid', text: { key: 'refused.request.invalid.name' } },
        fields: { name: ['Enter a name.'] },
        fieldTexts: { name: { key: 'refused.request.invalid.name' } },
      },
    })
    const long = { connectionId: 'local', serverId: 's', command: 'x'.repeat(100_000) }
    expect(await panel.call('console.command', long, link)).toMatchObject({
      ok: false,
      problem: { code: 'invalid', fields: { command: ['A command can have up to 2,000 characters.'] } },
    })
  })
})
