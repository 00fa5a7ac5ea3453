import { FitAddon } from '@xterm/addon-fit'
import { SearchAddon } from '@xterm/addon-search'
import { Terminal, type ITheme } from '@xterm/xterm'
import { SCROLLBACK_ROWS } from './screen.ts'
import { atTextSize } from '../../../ui/base/text-size.ts'
import '@xterm/xterm/css/xterm.css'

const FONT = "'JetBrains Mono Variable', ui-monospace, 'DejaVu Sans Mono', monospace"
const FONT_SIZE = 13

export interface OpenTerminal {
  terminal: Terminal
  search: SearchAddon
  fit(): void
  rename(name: string): void
  close(): void
}

/** A read-only terminal, drawn by WebGL where there is a GPU; else by the DOM, which is faster in software. */
export function openTerminal(
  parent: HTMLElement,
  theme: ITheme,
  name: string,
  byGpu = hasGpu(),
): OpenTerminal {
  Terminal.strings.promptLabel = name
  const terminal = new Terminal({
    allowProposedApi: true,
    convertEol: true,
    cursorInactiveStyle: 'none',
    disableStdin: true,
    drawBoldTextInBrightColors: false,
    fontFamily: FONT,
    fontSize: atTextSize(FONT_SIZE),
    lineHeight: 1.1,
    minimumContrastRatio: matchMedia('(prefers-contrast: more)').matches ? 7 : 4.5,
    reflowCursorLine: true,
    scrollback: SCROLLBACK_ROWS,
    theme,
  })
  const fitting = new FitAddon()
  const search = new SearchAddon({ highlightLimit: 1000 })
  terminal.loadAddon(fitting)
  terminal.loadAddon(search)
  terminal.open(parent)
  let isClosed = false
  if (byGpu) loadWebgl(terminal, () => isClosed).catch(() => undefined)
  fitting.fit()
  whenFontIsThere(() => {
    // The terminal measures letters only when the font name changes.
    terminal.options.fontFamily = `${FONT}, monospace`
    fitting.fit()
  })
  return {
    terminal,
    search,
    fit() {
      const size = atTextSize(FONT_SIZE)
      if (terminal.options.fontSize !== size) terminal.options.fontSize = size
      fitting.fit()
    },
    rename: (next) => terminal.textarea?.setAttribute('aria-label', next),
    close() {
      isClosed = true
      terminal.dispose()
    },
  }
}

/** GPUs played by the processor; Chromium has them pass `failIfMajorPerformanceCaveat`. */
const SOFTWARE = /swiftshader|llvmpipe|softpipe|basic render|warp/i

let gpu: boolean | undefined

const hasGpu = (): boolean => (gpu ??= findGpu())

function findGpu(): boolean {
  const gl = new OffscreenCanvas(1, 1).getContext('webgl2')
  if (!gl) return false
  const named = gl.getExtension('WEBGL_debug_renderer_info')
  const name = String(gl.getParameter(named?.UNMASKED_RENDERER_WEBGL ?? gl.RENDERER))
  // Browsers allow few contexts at once.
  gl.getExtension('WEBGL_lose_context')?.loseContext()
  return !SOFTWARE.test(name)
}

/** Without it, the DOM renderer stays. */
async function loadWebgl(terminal: Terminal, isClosed: () => boolean): Promise<void> {
  const { WebglAddon } = await import('@xterm/addon-webgl')
  if (isClosed()) return
  const addon = new WebglAddon()
  addon.onContextLoss(() => addon.dispose())
  terminal.loadAddon(addon)
}

function whenFontIsThere(then: () => void): void {
  const font = `${FONT_SIZE}px 'JetBrains Mono Variable'`
  if (document.fonts.check(font)) return
  document.fonts.load(font).then(
    (faces) => faces.length > 0 && then(),
    () => undefined,
  )
}
