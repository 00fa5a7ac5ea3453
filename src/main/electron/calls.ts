import { ipcMain, type IpcMainInvokeEvent, type WebContents } from 'electron'
import type { Outcome } from '../../contract/bridge/problem.ts'
import { type LocalizedText, localized } from '../../contract/messages/localized-text.ts'
import { problemOf } from '../base/problem.ts'
import { weightOf, WindowPressure } from '../desktop/windows/window-pressure.ts'
import type { Panel } from '../panel/panel.ts'
import type { WindowLink } from '../base/windows.ts'
import { PAGE_ORIGIN } from './windows/page.ts'

/** Repeated in the preload, which cannot import from main. */
export const CALL_CHANNEL = 'panel:call'
export const EVENT_CHANNEL = 'panel:event'
export const UPLOAD_CHANNEL = 'panel:upload'

/** Bytes the page took, as weighed by main. */
export const TAKEN_CHANNEL = 'panel:taken'

const links = new WeakMap<WebContents, WindowLink>()
const pressures = new WeakMap<WebContents, WindowPressure>()

export function linkWindow(
  contents: WebContents,
  panel: Promise<Panel>,
  several: WindowLink['several'] = undefined,
): void {
  const pressure = new WindowPressure()
  pressures.set(contents, pressure)
  contents.on('did-navigate', () => pressure.anew())
  contents.on('render-process-gone', () => pressure.anew())
  const link: WindowLink = {
    send: (event, value) => {
      if (contents.isDestroyed()) return
      const weight = weightOf(event, value)
      pressure.sent(weight)
      contents.send(EVENT_CHANNEL, event, value, weight)
    },
    pressure: () => pressure.bytes,
    ...(several && { several }),
  }
  links.set(contents, link)
  const ready = panel.then(
    (panel) => {
      if (!contents.isDestroyed()) panel.attach(link)
      return panel
    },
    () => null,
  )
  contents.once('destroyed', () => {
    links.delete(contents)
    void ready.then((panel) => panel?.detach(link))
  })
}

/** Foreign senders get a problem: silence would look like success. */
export function answerCalls(panel: Promise<Panel>): void {
  ipcMain.handle(CALL_CHANNEL, async (event, name: unknown, input: unknown): Promise<Outcome<unknown>> => {
    const link = isPage(event) ? links.get(event.sender) : undefined
    if (!link) return refused(localized('panel.not-from-page'))
    if (typeof name !== 'string') return refused(localized('panel.unnamed-call'))
    return (await panel).call(name, input, link)
  })
  ipcMain.on(TAKEN_CHANNEL, (event, weight: unknown) => {
    if (isPage(event)) pressures.get(event.sender)?.taken(weight)
  })
  ipcMain.handle(UPLOAD_CHANNEL, async (event, input: unknown): Promise<Outcome<unknown>> => {
    const link = isPage(event) ? links.get(event.sender) : undefined
    return link ? (await panel).upload(input) : refused(localized('panel.not-from-page'))
  })
}

function isPage(event: Pick<IpcMainInvokeEvent, 'senderFrame'>): boolean {
  try {
    const frame = event.senderFrame
    return frame !== null && frame.parent === null && frame.origin === PAGE_ORIGIN
  } catch {
    // A disposed frame throws.
    return false
  }
}

const refused = (why: LocalizedText): Outcome<never> => ({ ok: false, problem: problemOf('refused', why) })
