import type { Session, WebContents } from 'electron'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { app, StandInContents, StandInEvent, told } from '../../../tests/doubles/electron/electron.ts'
import { lockDown, openExternal } from './lock.ts'

vi.mock('electron', () => import('../../../tests/doubles/electron/electron.ts'))

let contents: StandInContents
beforeEach(() => {
  app.removeAllListeners()
  told.opened.length = 0
  lockDown()
  contents = new StandInContents()
  app.emit('web-contents-created', new StandInEvent(), contents)
})

describe('the lock on navigation', () => {
  it.each(['will-navigate', 'will-redirect', 'will-frame-navigate', 'will-attach-webview'] as const)(
    'stops %s, wherever it leads',
    (name) => {
      const event = new StandInEvent()
      contents.emit(name, event, 'app://panel/index.html')
      expect(event.defaultPrevented).toBe(true)
    },
  )

  it('opens no further window', () => {
    const details = { url: 'https://example.org' } as Parameters<
      NonNullable<typeof contents.windowOpenHandler>
    >[0]
    expect(contents.windowOpenHandler?.(details)).toEqual({ action: 'deny' })
  })
})

describe('permissions', () => {
  type Permission = Parameters<NonNullable<Parameters<Session['setPermissionRequestHandler']>[0]>>[1]
  const permissions: Permission[] = [
    'media',
    'geolocation',
    'notifications',
    'clipboard-read',
    'fileSystem',
    'openExternal',
    'unknown',
  ]
  const page = new StandInContents() as unknown as WebContents

  it.each(permissions)('are denied when asked for: %s', (permission) => {
    const answers: boolean[] = []
    told.permissionRequest?.(page, permission, (granted) => answers.push(granted), {
      requestingUrl: 'app://panel/index.html',
      isMainFrame: true,
    })
    expect(answers).toEqual([false])
  })

  it.each(permissions)('are not there when checked: %s', (permission) => {
    const details = { isMainFrame: true, requestingUrl: 'app://panel/index.html' }
    expect(told.permissionCheck?.(page, permission, 'app://panel', details)).toBe(false)
  })

  it('are denied for devices', () => {
    const device = { deviceType: 'usb', origin: 'app://panel' } as Parameters<
      NonNullable<typeof told.devicePermission>
    >[0]
    expect(told.devicePermission?.(device)).toBe(false)
  })
})

describe('opening an address outside', () => {
  it('opens https addresses, as they parse', async () => {
    await openExternal('https://example.org/a b')
    expect(told.opened).toEqual(['https://example.org/a%20b'])
  })

  it('opens those of this computer without encryption too', async () => {
    await openExternal('http://127.0.0.1:8460/api/v1/auth/google')
    expect(told.opened).toEqual(['http://127.0.0.1:8460/api/v1/auth/google'])
  })

  it.each([
    'http://example.org',
    'http://127.0.0.1.example.org',
    'http://127.0.0.1@example.org',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'ms-msdt:/id',
    'smb://host/x',
    'no address',
  ])('refuses %s', async (address) => {
    await expect(openExternal(address)).rejects.toThrow()
    expect(told.opened).toEqual([])
  })
})
