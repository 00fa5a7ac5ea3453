import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import type { Connection, Crash, Server, ServerConfig, View } from '../../../contract/bridge/values.ts'
import { CrashCause } from '../../../contract/areas/crashes.ts'
import { panel } from '../../core/panel.svelte.ts'
import '../../app/theme.css'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { ServerState } from '../../core/servers/server-state.svelte.ts'
import { useTabs } from '../../core/routes/route.ts'
import { useLanguage } from '../../messages/t.svelte.ts'
import { dismiss, notices } from '../../ui/feedback/notices.svelte.ts'
import CrashCard from './CrashCard.svelte'
import { raisedTo } from './crash-fixes.ts'

const CAUSES = CrashCause.meta()?.['examples'] as string[]
const AT = '2026-11-23T12:00:00Z'
const connection: Connection = {
  ...{ id: 'c', kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1', user: null },
  ...{ state: { kind: 'ready' }, tokenKept: 'keychain', expiresAt: null },
}
const usual: ServerConfig = {
  name: 'Meadow',
  memoryMb: 2048,
  port: 25565,
  java: 'auto',
  memoryMostMb: 16_000,
}
const evidence = '**** FAILED TO BIND TO PORT!'

let way: ScriptedBridge
let crash: Crash
let config: ServerConfig
let server: Server

const view = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: new Date().toISOString(), stale: false, problem: null, tag: '"1"' },
})

beforeEach(() => {
  drawn = null
  config = usual
  server = { id: 's', name: 'Meadow', status: 'crashed', role: 'owner' }
  way = new ScriptedBridge({
    'view servers.read': () => view(server),
    'view servers.list': () => view({ items: [server], leftOut: [], more: false }),
    'view servers.status': () => view({ status: 'crashed', exitCode: 1 }),
    'view servers.crash': () => view(crash),
    'view servers.read-config': () => view(config),
    'view extensions.changes': () => view({}),
    'view software.read': () => view({ id: 'paper' }),
    'send servers.power': () => ({ ok: true, value: { accepted: true } }),
    'send servers.change-port': () => ({ ok: true, value: { port: 25570 } }),
    'send servers.accept-license': () => ({ ok: true, value: undefined }),
    'send servers.change-config': () => ({ ok: true, value: config }),
    'files.move': () => ({
      ok: true,
      value: { results: [{ path: 'mods/a.jar', outcome: 'done', finalPath: 'mods/a.jar.disabled' }] },
    }),
  })
  window.panel = way
  useTabs(['overview', 'console', 'files', 'extensions', 'settings'], ['general', 'java', 'software'])
  panel.take(connection)
  for (const { id } of notices()) dismiss(id)
})

let drawn: { unmount: () => unknown } | null = null
const show = async (what: Crash) => {
  await drawn?.unmount()
  crash = { at: AT, exitCode: 1, evidence, ...what }
  drawn = await render(CrashCard, { server: new ServerState('c', 's'), linked: true })
}
const button = (name: string | RegExp) => page.getByRole('button', { name })
const primaries = () =>
  [...document.querySelectorAll('section .bg-accent')].map((one) => one.textContent.trim())
const card = () => page.getByRole('region', { name: 'Crash' })
/** What was asked of main beside views, in its order. */
const asked = () =>
  way.called.filter(({ name }) => !/^(view|leave) /.test(name)).map(({ name, input }) => [name, input])
const at = { connectionId: 'c', params: { serverId: 's' } }
const started = ['send servers.power', { ...at, body: { action: 'start' } }]

describe('a crash after a change', () => {
  it('of plugins offers to undo it and start, and says what becomes of each', async () => {
    const items = [
      { name: 'Shop', to: '2.1' },
      { name: 'Vault', from: '1.6', to: '1.7' },
      { name: 'Chat', from: '3', to: null },
      { name: 'Maps', from: '4', to: '4' },
    ]
    way.answer('view extensions.changes', () =>
      view({ last: { items, undoable: true, crashedSince: true, at: AT } }),
    )
    way.answer('send extensions.undo', () => ({ ok: true, value: {} }))
    await show({})
    await expect
      .element(card())
      .toMatchTextContent(
        /after 4 changes\. Undoing them:.*Shop 2\.1 → removed.*Vault 1\.7 → 1\.6.*Chat → 3.*Maps → as before/,
      )
    expect(primaries()).toEqual(['Undo all 4 and start'])
    await button('Undo all 4 and start').click()
    await expect.poll(asked).toEqual([['send extensions.undo', at], started])
  })

  it('of the software goes back to the copy, after saying what of the world goes with it', async () => {
    const copy = { at: '2026-11-23T11:00:00Z', reason: 'change' as const, software: { id: 'paper', name: 'Paper', version: '1.21.4' } } // prettier-ignore
    way.answer('view software.read', () => view({ id: 'paper', copy }))
    way.answer('send software.undo', () => ({ ok: true, value: { accepted: true } }))
    await show({})
    await button('Go back to Paper 1.21.4').click()
    await expect.element(page.getByRole('dialog')).toMatchTextContent(/with its world/)
    expect(asked()).toEqual([])
    await button('Go back to before the change').click()
    await expect.poll(asked).toEqual([['send software.undo', at]])
  })

  it('of plugins that is undone is not undone again where only the start fails, and both are said', async () => {
    const last = { items: [{ name: 'Alpha' }], undoable: true, crashedSince: true, at: AT }
    way.answer('view extensions.changes', () => view({ last }))
    way.answer('send extensions.undo', () => ({ ok: true, value: {} }))
    const message = 'Port 25565 is in use.'
    way.answer('send servers.power', () => ({
      ok: false,
      problem: { code: 'conflict', serviceCode: 'server.port-in-use', message, retryable: false },
    }))
    await show({})
    await button('Undo the change and start').click()
    await expect.element(page.getByRole('alert')).toMatchTextContent(message)
    const said = page.getByText('The change is undone. Starting the server had a problem:')
    await expect.element(said).toHaveFocus()
    expect(button(/Undo/).elements()).toEqual([])
    expect(notices()[0]?.text()).toBe('The change is undone.')
    expect(asked()).toEqual([['send extensions.undo', at], started])
  })

  it('of a modpack on the same software names no software that the server has already', async () => {
    const paper = { id: 'paper', name: 'Paper', version: '1.21.4' }
    const copy = { at: '2026-11-23T11:00:00Z', reason: 'change' as const, software: paper }
    way.answer('view software.read', () => view({ ...paper, copy }))
    await show({})
    await expect.element(button('Go back to before the change')).toBeVisible()
    way.answer('view software.read', () => view({ ...paper, version: '1.21.5', copy }))
    await show({})
    await expect.element(button('Go back to Paper 1.21.4')).toBeVisible()
  })

  it('long ago, before a reset, or that ran since, offers none', async () => {
    const items = [{ name: 'Alpha' }]
    way.answer('view extensions.changes', () =>
      view({ last: { items, undoable: true, crashedSince: false } }),
    )
    for (const copy of [
      { at: '2026-11-01T11:00:00Z', reason: 'change' as const },
      { at: '2026-11-23T11:00:00Z', reason: 'reset' as const },
      { at: '2026-11-23T13:00:00Z', reason: 'change' as const },
    ]) {
      way.answer('view software.read', () => view({ id: 'paper', copy }))
      await show({})
      await expect.element(button('Start again')).toBeVisible()
      expect(button(/Go back|Undo/).elements()).toEqual([])
    }
  })
})

describe('a crash in words', () => {
  it.each([...CAUSES, 'none'])('of %s says what, why and what now, in both languages', async (cause) => {
    onTestFinished(() => useLanguage('en'))
    await show({ cause: cause as never })
    for (const language of ['en', 'de'] as const) {
      await useLanguage(language)
      const heading = page.getByRole('heading').element().textContent
      expect(heading).toMatch(/^\S.{9,80}[^.]$/)
      const said =
        document.querySelector('h2 ~ p, section p.mt-1')?.parentElement?.parentElement?.textContent ?? ''
      expect(said).not.toMatch(/undefined|crash\.|\{/)
      expect(said.length).toBeGreaterThan(100)
    }
  })

  it('names what it is about, with the line that says so', async () => {
    await show({ cause: 'missing-dependency', facts: { extension: 'ShopSigns', missing: 'Vault' } })
    await expect.element(card()).toMatchTextContent(/ShopSigns needs Vault.*Exit code 1/)
    await expect.element(card()).toMatchTextContent(/FAILED TO BIND/)
  })

  it('stays plain where nobody knows why, or the service does not tell', async () => {
    way.answer('view servers.crash', () => ({
      ok: true,
      value: {
        ...{ value: null, asOf: null, stale: true },
        problem: { code: 'unavailable', message: 'No.', retryable: false },
      },
    }))
    crash = {}
    await render(CrashCard, { server: new ServerState('c', 's'), linked: true })
    await expect.element(card()).toMatchTextContent(/The server crashed.*Exit code 1/)
    await expect.element(page.getByRole('link', { name: 'Show log' })).toBeVisible()
    expect(button('Copy log').query()).toBeNull()
  })
})

describe('what mends a crash', () => {
  it('of a port that is in use: another port, then a start', async () => {
    await show({ cause: 'port-in-use', facts: { port: 25565 } })
    await button('Use another port and start').click()
    await expect.poll(asked).toEqual([['send servers.change-port', { ...at, body: {} }], started])
    expect(notices()[0]?.text()).toBe('The server now uses port 25570.')
  })

  it('of a license: the address it is at, and accepting it; only for the owner', async () => {
    const url = 'https://aka.ms/MinecraftEULA'
    await show({ cause: 'eula', license: { name: 'Minecraft EULA', url } })
    await expect.element(card()).toMatchTextContent(url)
    await button('Accept and start').click()
    await expect.poll(asked).toEqual([['send servers.accept-license', { ...at, body: { url } }], started])
    server = { ...server, role: ['server.read', 'console.read', 'control.start'] }
    await show({ cause: 'eula', license: { name: 'Minecraft EULA', url } })
    await expect.element(button('Accept and start')).toHaveAttribute('aria-disabled', 'true')
  })

  it('of too little memory: half as much again, bounded by the computer', async () => {
    await show({ cause: 'out-of-memory', facts: { where: 'heap' } })
    await button('Raise to 3 GB and start').click()
    await expect
      .poll(asked)
      .toEqual([['send servers.change-config', { ...at, body: { memoryMb: 3072 }, ifMatch: '"1"' }], started])
    expect([raisedTo(2048, 2500), raisedTo(2048, 2559), raisedTo(2048, 2560), raisedTo(2048, null)]).toEqual([
      ...[null, null, 2560, 3072],
    ])
  })

  it('of a computer without memory no more memory is given', async () => {
    await show({ cause: 'out-of-memory', facts: { where: 'killed' } })
    await expect.element(button('Start again')).toBeVisible()
    expect(button(/Raise/).query()).toBeNull()
  })

  it('of a wrong Java: the one that is needed, or the choice is taken back', async () => {
    await show({ cause: 'wrong-java', facts: { needed: 21, present: 17 } })
    await button('Use Java 21 and start').click()
    await expect
      .poll(asked)
      .toEqual([['send servers.change-config', { ...at, body: { java: '21' }, ifMatch: '"1"' }], started])
    config = { ...usual, java: '17' }
    await show({ cause: 'wrong-java', facts: { needed: 21, present: 17 } })
    await button('Let the server choose its Java and start').click()
    await expect.poll(() => asked().at(-2)).toMatchObject([expect.any(String), { body: { java: 'auto' } }])
  })

  it('of a mod: its jar is turned off, and the folder opened', async () => {
    await show({ cause: 'wrong-side', facts: { extension: 'a' }, files: ['mods/a.jar'] })
    await expect
      .element(page.getByRole('link', { name: 'Open the folder' }))
      .toHaveAttribute('href', '#/c/c/s/s/files?path=mods')
    await button('Turn off a.jar').click()
    await expect.poll(asked).toEqual([
      [
        'files.move',
        {
          ...{ connectionId: 'c', serverId: 's', conflict: 'keep-both' },
          items: [{ from: 'mods/a.jar', to: 'mods/a.jar.disabled' }],
        },
      ],
    ])
    expect(notices()[0]?.text()).toContain('a.jar.disabled')
  })

  it('of something that is missing: the way to find it first', async () => {
    await show({
      cause: 'missing-dependency',
      facts: { extension: 'a', missing: 'b' },
      files: ['mods/a.jar'],
    })
    const first = card().getByRole('link').first()
    await expect.element(first).toHaveTextContent('Find what is missing')
    await expect.element(first).toHaveAttribute('href', '#/c/c/s/s/extensions')
    await expect.element(button('Turn off a.jar')).toBeVisible()
  })

  it('of datapacks: one start without them, where the software can', async () => {
    way.answer('send servers.start-safely', () => ({ ok: true, value: { accepted: true } }))
    await show({ cause: 'datapacks', safely: true })
    await button('Start once without datapacks').click()
    await expect.poll(asked).toEqual([['send servers.start-safely', at]])
    expect(notices()[0]?.text()).toContain('The next one loads them again')
    await show({ cause: 'datapacks', safely: false })
    await expect.element(button('Start again')).toBeVisible()
    expect(button('Start once without datapacks').query()).toBeNull()
  })

  it('of a damaged world: its older file, and the start only where that is in place', async () => {
    const ref = { connectionId: 'c', serverId: 's' }
    const result = { path: 'world/level.dat', outcome: 'failed' as const }
    way.answer('files.copy', () => ({ ok: true, value: { results: [result] } }))
    await show({ cause: 'world-corrupt', files: ['world/level.dat'] })
    await button('Use the older level.dat and start').click()
    const items = [{ from: 'world/level.dat_old', to: 'world/level.dat' }]
    const copied = ['files.copy', { ...ref, items, conflict: 'replace' }]
    await expect.poll(asked).toEqual([copied])
    await expect.poll(() => notices()[0]?.tone).toBe('error')
    way.answer('files.copy', () => ({
      ok: true,
      value: { results: [{ ...result, outcome: 'done' as const }] },
    }))
    await button('Use the older level.dat and start').click()
    await expect.poll(asked).toEqual([copied, copied, started])
    await show({ cause: 'world-corrupt', files: [] })
    await expect.element(button('Start again')).toBeVisible()
    expect(button(/older/).query()).toBeNull()
  })

  it('of a damaged chunk: its file goes to the trash, and nothing is started', async () => {
    const file = 'world/region/r.0.-1.mca'
    const results = [{ path: file, outcome: 'done' as const }]
    way.answer('files.remove', () => ({
      ok: true,
      value: { results, trash: [], kept: { ids: [], folders: [] } },
    }))
    await show({ cause: 'chunk-corrupt', facts: { x: 12, z: -7 }, files: [file] })
    await button(`Move ${file} to the trash`).click()
    await expect.poll(asked).toEqual([['files.remove', { connectionId: 'c', serverId: 's', paths: [file] }]])
    expect(notices()[0]?.text()).toContain('can be restored')
    await expect
      .element(page.getByRole('link', { name: 'Open the folder' }))
      .toHaveAttribute('href', '#/c/c/s/s/files?path=world/region')
  })

  it('that is refused says why, and nothing is started', async () => {
    const message = 'No port is free for this server.'
    way.answer('send servers.change-port', () => ({
      ok: false,
      problem: { code: 'conflict', serviceCode: 'server.no-port', message, retryable: false },
    }))
    await show({ cause: 'port-in-use' })
    await button('Use another port and start').click()
    await expect.element(page.getByRole('alert')).toMatchTextContent(message)
    expect(asked()).toHaveLength(1)
  })
})
