import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it, type TestContext } from 'vitest'
import type { ViewId } from '../../contract/areas/index.ts'
import {
  account,
  type Knobs,
  secondService,
} from '../../../tests/doubles/services/second-service/second-service.ts'
import { nameOf, variants } from '../../../tests/doubles/services/second-service/variants.ts'
import { openWindow, testPorts } from './panel.fixture.ts'
import { createPanel } from './panel.ts'

async function panelAtSecond(variant: Partial<Knobs>, { onTestFinished }: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'second-'))
  const service = await secondService(variant)
  const panel = await createPanel(testPorts(folder))
  onTestFinished(async () => {
    await panel.close()
    await service.close()
    await rm(folder, { recursive: true })
  })
  return { folder, service, panel, ...openWindow(panel) }
}

it('has at least 24 variants of a service', ({ expect }) => {
  expect(new Set(variants.map(nameOf)).size).toBeGreaterThanOrEqual(24)
})

// Without a stream most of the time is spent waiting for the next question: several wait at once.
it.concurrent.for(variants.map((variant) => [nameOf(variant), variant] as const))(
  'signs in, lists, reads the console, sends a command and works with files at a service with %s',
  async ([, variant], test) => {
    const at = await panelAtSecond(variant, test)
    const server = await signInAndList(at, test)
    await useConsole(at, server, test)
    await useFiles(at, server, test)
    await seeNothingMissing(at, server, test)
  },
)

type At = Awaited<ReturnType<typeof panelAtSecond>>
interface Server {
  connectionId: string
  serverId: string
}
const inputOf = ({ connectionId, serverId }: Server) => ({ connectionId, params: { serverId } })

async function signInAndList({ service, call, until }: At, { expect }: TestContext): Promise<Server> {
  const { baseUrl } = service
  await expect(
    call('connections.sign-in', { baseUrl, email: account.email, password: 'wrong' }),
  ).rejects.toMatchObject({ problem: { code: 'invalid' } })
  const connection = await call('connections.sign-in', { baseUrl, ...account })
  expect(connection).toMatchObject({
    state: { kind: 'ready' },
    user: { name: 'Ann', email: account.email },
  })
  const connectionId = connection.id
  const server = { connectionId, serverId: service.idOf(1) }
  const at = inputOf(server)

  // The list, or what takes its place.
  await call('view.read', { view: 'servers.list', connectionId })
  if ((service.knobs.servers ?? 'listed') !== 'listed') {
    const failed = await until('view', ({ view, now }) => view === 'servers.list' && now.problem !== null)
    expect(failed.now.problem?.code).toBe(service.knobs.servers === 'absent' ? 'unavailable' : 'forbidden')
    await expect(call('servers.add', { connectionId, serverId: 'no-such-one' })).rejects.toMatchObject({
      problem: { code: 'not-found', serviceCode: 'panel.server-unknown' },
    })
    await call('servers.add', server)
  }
  const list = await until('view', ({ view, now }) => view === 'servers.list' && now.value !== null)
  expect(list.now.value).toMatchObject({ leftOut: [] })
  const names = (list.now.value as { items: { id: string; name: string; status: unknown }[] }).items
  expect(names[0]).toMatchObject({ id: server.serverId, name: 'Survival', status: 'online' })

  // One server, and its status.
  await call('view.read', { view: 'servers.read', ...at })
  await call('view.read', { view: 'servers.status', ...at })
  const status = await until('view', ({ view, now }) => view === 'servers.status' && now.value !== null)
  expect(status.now).toMatchObject({ problem: null, value: { status: 'online' } })
  return server
}

async function useConsole(
  { service, call, until, seen }: At,
  server: Server,
  { expect }: TestContext,
): Promise<void> {
  // What there was, what comes, in order and once.
  const lines = () =>
    seen.flatMap(({ event, value }) =>
      event === 'console'
        ? (value as { pieces: { kind: string; batch?: { texts: string[] } }[] }).pieces.flatMap(
            ({ kind, batch }) => batch?.texts ?? [kind],
          )
        : [],
    )
  const watched = await call('console.watch', { ...server, limit: 100 })
  const first = watched.pieces.flatMap((piece) => (piece.kind === 'lines' ? piece.batch.texts : ['gap']))
  const shown = () => [...first, ...lines()]
  await expect.poll(shown).toEqual(['Starting Survival', 'Done (2.5s)!'])
  service.write(1, 'Ann joined the game')
  await expect.poll(shown).toEqual(['Starting Survival', 'Done (2.5s)!', 'Ann joined the game'])
  await call('console.command', { ...server, command: 'say hello' })
  await expect.poll(() => shown().at(-1)).toBe('> say hello')
  expect(shown()).toHaveLength(4)
  expect(service.ran).toEqual(['say hello'])
  expect(await call('console.watch', { ...server, limit: 100 })).toMatchObject({
    history: { read: true, problem: null },
  })
  await until('sample', ({ sample }) => sample.cpu === 12.5)
}

/** Lists, reads, writes, and uploads by a form. */
async function useFiles(
  { folder, panel, service, call, until }: At,
  server: Server,
  { expect }: TestContext,
): Promise<void> {
  const at = inputOf(server)
  const folderView = { view: 'files.list' as const, ...at, query: { path: '' } }
  await call('view.read', folderView)
  const files = await until('view', ({ view, now }) => view === 'files.list' && now.value !== null)
  expect(files.now.value).toMatchObject({
    items: [{ name: 'server.properties', kind: 'file', size: 11 }],
    leftOut: [],
    more: false,
  })
  const path = 'server.properties'
  const read = await call('files.read-text', { ...server, path })
  expect(read.content).toEqual({ kind: 'text', text: 'motd=Hello\n' })
  await call('files.write-text', { ...server, path, text: 'motd=Bye\n', base: { kind: 'overwrite' } })
  expect(service.file(1, path)).toBe('motd=Bye\n')
  await writeFile(join(folder, 'notes.txt'), 'Bring torches.')
  const uploaded = await panel.upload({
    to: { ...server, folder: '' },
    files: [{ file: join(folder, 'notes.txt'), path: 'notes.txt' }],
    folders: [],
  })
  expect(uploaded).toMatchObject({ ok: true })
  const { items } = await until('transfers', ({ items: all }) => all.some(({ endedAt }) => endedAt !== null))
  expect(items).toMatchObject([{ state: 'done', filesDone: 1, problem: null }])
  expect(service.file(1, 'notes.txt')).toBe('Bring torches.')
}

/** What is offered is not said to be missing, and nothing is said to have failed. */
async function seeNothingMissing(
  { service, call, until }: At,
  server: Server,
  { expect }: TestContext,
): Promise<void> {
  const at = inputOf(server)
  const { connectionId } = server
  await call('view.read', { view: 'players.stats', ...at })
  await call('view.read', { view: 'notifications.list', connectionId })
  const offered = async (asked: ViewId) =>
    (await until('view', ({ view, now }) => view === asked && (now.value !== null || now.problem !== null)))
      .now.problem
  expect(await offered('players.stats')).toBeNull()
  expect(await offered('notifications.list')).toBeNull()
  const stream = { absent: 'absent', forbidden: 'forbidden', failing: 'failing' }[
    service.knobs.events as 'absent'
  ]
  expect(await call('console.live', { connectionId })).toMatchObject(
    stream ? { state: 'polling', asked: { why: stream } } : { state: 'live', asked: null },
  )
}
