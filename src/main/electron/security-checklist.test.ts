// Electron's own list of what a program has to see to (https://www.electronjs.org/docs/latest/tutorial/security), row by
// row. What can only be seen in Electron itself is not claimed here: these hold what is asked of Electron.
import { readFileSync } from 'node:fs'
import { FuseV1Options } from '@electron/fuses'
import type { IpcMainInvokeEvent } from 'electron'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { at } from '../../../build/scripts/project.js'
import { fuses } from '../../../build/packaging/fuses.js'
import { answerCalls } from './calls.ts'
import type { StandInContents } from '../../../tests/doubles/electron/electron.ts'
import { app, StandInEvent, StandInWindow, told } from '../../../tests/doubles/electron/electron.ts'
import { lockDown, openExternal } from './lock.ts'
import { PAGE_ADDRESS, registerScheme, servePage } from './windows/page.ts'
import { openWindow } from './windows/window.ts'

vi.mock('electron', () => import('../../../tests/doubles/electron/electron.ts'))

let contents: StandInContents
let window: StandInWindow
let policy: Map<string, string>
beforeAll(async () => {
  lockDown()
  registerScheme()
  servePage(new Map([['/index.html', { type: 'text/html', read: async () => Buffer.from('') }]]))
  answerCalls(new Promise(() => undefined))
  openWindow({ bounds: null, maximized: false })
  window = StandInWindow.opened.at(-1)!
  contents = window.webContents
  app.emit('web-contents-created', new StandInEvent(), contents)
  const page = await told.page.get('app')?.(new Request(PAGE_ADDRESS))
  const stated = page?.headers.get('Content-Security-Policy')?.split(';') ?? []
  policy = new Map(
    stated.map((rule) => {
      const [name = '', ...values] = rule.trim().split(' ')
      return [name, values.join(' ')]
    }),
  )
})
const preferences = () => window.options.webPreferences ?? {}
const source = (path: string) => readFileSync(at(path), 'utf8')
const prevented = (
  name: 'will-navigate' | 'will-redirect' | 'will-frame-navigate' | 'will-attach-webview',
) => {
  const event = new StandInEvent()
  contents.emit(name, event, 'https://example.org')
  return event.defaultPrevented
}

describe("Electron's security checklist", () => {
  it('1. only secure content is loaded: the page comes from its own secure scheme, and nothing comes beside it', () => {
    expect(window.address).toMatch(/^app:\/\/panel\//)
    expect(told.schemes).toMatchObject([{ scheme: 'app', privileges: { secure: true, standard: true } }])
    for (const kind of ['script-src', 'connect-src', 'font-src']) expect(policy.get(kind)).toBe("'self'")
  })

  it('2. no Node for the page', () => {
    expect(preferences()).toMatchObject({ nodeIntegration: false })
    expect(preferences().nodeIntegrationInWorker ?? false).toBe(false)
    expect(preferences().nodeIntegrationInSubFrames ?? false).toBe(false)
  })

  it('3. the preload lives in a world of its own', () => expect(preferences().contextIsolation).toBe(true))

  it('4. every renderer is sandboxed, by the window and for the whole program', () => {
    expect(preferences().sandbox).toBe(true)
    expect(source('src/main/index.ts')).toMatch(/^app\.enableSandbox\(\)$/m)
  })

  it('5. requests for permissions have handlers', () => {
    expect(told.permissionRequest).toBeTypeOf('function')
    expect(told.permissionCheck).toBeTypeOf('function')
    expect(told.devicePermission).toBeTypeOf('function')
  })

  it('6. webSecurity stays on', () => expect(preferences().webSecurity).toBe(true))

  it('7. the page has a content security policy that begins with nothing', () => {
    expect(policy.get('default-src')).toBe("'none'")
    expect(policy.get('script-src')).not.toMatch(/unsafe|\*/)
    expect(policy.get('frame-ancestors')).toBe("'none'")
    expect(policy.has('require-trusted-types-for')).toBe(true)
  })

  it.each([
    ['8. no insecure content beside secure content', 'allowRunningInsecureContent'],
    ['9. no experimental features', 'experimentalFeatures'],
    ['10. no features of Blink by name', 'enableBlinkFeatures'],
  ] as const)('%s', (_row, name) => expect(preferences()[name] ?? false).toBe(false))

  it('11., 12. there are no webviews at all', () => {
    expect(preferences().webviewTag).toBe(false)
    expect(prevented('will-attach-webview')).toBe(true)
  })

  it('13. no navigation', () => {
    for (const name of ['will-navigate', 'will-redirect', 'will-frame-navigate'] as const)
      expect(prevented(name)).toBe(true)
  })

  it('14. no further windows', () => {
    const details = { url: 'https://example.org' } as Parameters<
      NonNullable<typeof contents.windowOpenHandler>
    >[0]
    expect(contents.windowOpenHandler?.(details)).toEqual({ action: 'deny' })
  })

  it('15. what is opened outside is parsed first, in one place alone', async () => {
    await expect(openExternal('file:///etc/passwd')).rejects.toThrow()
    expect(told.opened).toEqual([])
    for (const part of ['boot', 'calls', 'menu', 'windows/window'])
      expect(source(`src/main/electron/${part}.ts`)).not.toContain('shell.openExternal')
  })

  it('16. Electron is named by its exact version', () => {
    const { devDependencies } = JSON.parse(source('package.json')) as {
      devDependencies: Record<string, string>
    }
    expect(devDependencies['electron']).toMatch(/^\d+\.\d+\.\d+$/)
  })

  it('17. who calls is checked, on every channel', async () => {
    expect(told.calls.size).toBeGreaterThan(0)
    const stranger = { sender: contents, senderFrame: { origin: 'https://example.org', parent: null } }
    for (const listener of told.calls.values())
      expect(await listener(stranger as unknown as IpcMainInvokeEvent, 'app.info', undefined)).toMatchObject({
        ok: false,
        problem: { code: 'refused' },
      })
  })

  it('18. nothing comes from file://', () => {
    expect(window.address?.startsWith('file:')).toBe(false)
    expect(fuses[FuseV1Options.GrantFileProtocolExtraPrivileges]).toBe(false)
  })

  it('19. fuses that would let others in are off, and every one is stated', () => {
    expect(fuses).toMatchObject({
      strictlyRequireAllFuses: true,
      [FuseV1Options.RunAsNode]: false,
      [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
      [FuseV1Options.EnableNodeCliInspectArguments]: false,
      [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
      [FuseV1Options.OnlyLoadAppFromAsar]: true,
    })
  })

  it("20. nothing of Electron's is handed to the page", () => {
    const preload = source('src/preload/index.ts')
    expect(preload.match(/exposeInMainWorld/g)).toHaveLength(1)
    // Not a part of Electron as it is, and no channel that the page could name.
    expect(preload).not.toMatch(/exposeInMainWorld\('\w+', *(ipcRenderer|webUtils|\{ *ipcRenderer)/)
    expect(preload.match(/ipcRenderer\.(invoke|send|on)\((?!'panel:)/g)).toBeNull()
  })
})
