import type { IpcMainInvokeEvent, WebContents } from 'electron'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Settings } from '../../contract/bridge/values.ts'
import type { Panel } from '../panel/panel.ts'
import type { WindowLink } from '../base/windows.ts'
import { answerCalls, CALL_CHANNEL, linkWindow, TAKEN_CHANNEL, UPLOAD_CHANNEL } from './calls.ts'
import { StandInContents, told } from '../../../tests/doubles/electron/electron.ts'

vi.mock('electron', () => import('../../../tests/doubles/electron/electron.ts'))

/** A panel that answers with what it was asked. */
function answeringPanel() {
  const attached = new Set<WindowLink>()
  const panel: Panel = {
    call: (name, input) => Promise.resolve({ ok: true, value: { name, input } }),
    upload: (input) => Promise.resolve({ ok: true, value: { transferId: JSON.stringify(input) } }),
    tellClosing: () => undefined,
    pageUploads: {
      announce: () => Promise.reject(new Error('not in Electron')),
      receive: () => Promise.reject(new Error('not in Electron')),
      unreadable: () => Promise.reject(new Error('not in Electron')),
      pageCame: () => undefined,
      pageLeft: () => undefined,
    },
    attach: (window) => void attached.add(window),
    detach: (window) => void attached.delete(window),
    wake: () => undefined,
    sleep: () => undefined,
    spare: () => undefined,
    keepsLocalServers: async () => false,
    runningLocalServers: () => Promise.resolve(0),
    close: () => Promise.resolve(),
  }
  return { panel: Promise.resolve(panel), attached }
}

interface Frame {
  origin: string
  parent: Frame | null
}
const main: Frame = { origin: 'app://panel', parent: null }

let contents: StandInContents
let attached: Set<WindowLink>
beforeEach(async () => {
  contents = new StandInContents()
  const answering = answeringPanel()
  attached = answering.attached
  answerCalls(answering.panel)
  linkWindow(contents as unknown as WebContents, answering.panel)
  await answering.panel
})

async function call(senderFrame: Frame | null, sender = contents, name: unknown = 'app.info') {
  const listener = told.calls.get(CALL_CHANNEL)
  const event = { sender, senderFrame } as unknown as IpcMainInvokeEvent
  return (await listener?.(event, name, { a: 1 })) as unknown
}
const refused = { ok: false, problem: { code: 'refused', retryable: false } }

describe("a call over Electron's channel", () => {
  it("is answered where it comes from the main frame of the panel's page", async () => {
    expect(await call(main)).toEqual({ ok: true, value: { name: 'app.info', input: { a: 1 } } })
  })

  it('is refused, with a problem and not with silence, where its frame is gone', async () => {
    expect(await call(null)).toMatchObject(refused)
  })

  it('is refused from a frame inside of the page, also of the same origin', async () => {
    expect(await call({ origin: 'app://panel', parent: main })).toMatchObject(refused)
  })

  it.each(['app://panel2', 'app://panel.example', 'https://panel', 'file://', 'null', 'app://', ''])(
    'is refused from the origin "%s"',
    async (origin) => {
      expect(await call({ origin, parent: null })).toMatchObject(refused)
    },
  )

  it('hands over the paths that the preload resolved, from the main frame of the page alone', async () => {
    const picked = { to: {}, files: [{ path: 'a', file: '/home/ann/a' }], folders: [] }
    const upload = async (senderFrame: Frame | null) =>
      (await told.calls.get(UPLOAD_CHANNEL)?.(
        { sender: contents, senderFrame } as unknown as IpcMainInvokeEvent,
        picked,
      )) as unknown
    expect(await upload(main)).toEqual({ ok: true, value: { transferId: JSON.stringify(picked) } })
    expect(await upload({ origin: 'app://panel', parent: main })).toMatchObject(refused)
    expect(await upload(null)).toMatchObject(refused)
  })

  it('is refused from a page that was never linked', async () => {
    expect(await call(main, new StandInContents())).toMatchObject(refused)
  })

  it('is refused where looking at its frame throws, as it does after a crash', async () => {
    const broken = {
      parent: null,
      get origin(): string {
        throw new Error('Render frame was disposed before WebFrameMain could be accessed')
      },
    }
    expect(await call(broken)).toMatchObject(refused)
  })

  it('is refused without a name', async () => {
    expect(await call(main, contents, 7)).toMatchObject(refused)
  })
})

describe('a linked window', () => {
  const now: Settings = { theme: 'dark', language: 'system', timestamps: true, playersOn: 'ask' }

  it('is sent events by name', () => {
    for (const window of attached) window.send('keychain', { kind: 'ok', reason: null })
    expect(contents.sent).toEqual([['panel:event', 'keychain', { kind: 'ok', reason: null }, 0]])
  })

  it('is known to be slow by what it has not taken, as only its own page says', () => {
    const [window] = attached
    const batch = { epoch: 'e', firstSeq: 1, times: [0], texts: ['x'.repeat(1000)], sources: {} }
    const lines = { connectionId: 'c', serverId: 's', watch: 1, pieces: [{ kind: 'lines' as const, batch }] }
    for (let times = 0; times < 10; times++) window?.send('console', lines)
    const all = window?.pressure() ?? 0
    expect(all).toBeGreaterThan(20_000)
    const weight = contents.sent.at(-1)?.at(-1) as number
    const take = (senderFrame: Frame | null, taken: unknown) =>
      told.sends.get(TAKEN_CHANNEL)?.({ sender: contents, senderFrame } as never, taken)
    take({ origin: 'https://example.org', parent: null }, weight)
    for (const odd of [-1, NaN, 1.5, Infinity, '1', null]) take(main, odd)
    expect(window?.pressure()).toBe(all)
    take(main, weight)
    expect(window?.pressure()).toBe(all - weight)
    take(main, 1e9)
    expect(window?.pressure()).toBe(0)
    window?.send('console', lines)
    contents.emit('did-navigate')
    expect(window?.pressure()).toBe(0)
  })

  it('is sent nothing more once it is closed, and is let go', async () => {
    const [window] = attached
    contents.destroy()
    window?.send('settings', now)
    expect(contents.sent).toEqual([])
    await expect.poll(() => attached.size).toBe(0)
    expect(await call(main)).toMatchObject(refused)
  })
})
