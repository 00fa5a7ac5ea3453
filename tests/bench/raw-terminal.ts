import { createRequire } from 'node:module'
import type { BrowserContext, Page } from '@playwright/test'
import type { Terminal as XtermTerminal } from '@xterm/xterm'

const require = createRequire(import.meta.url)

/** Rows and columns of a terminal. */
export interface Size {
  rows: number
  cols: number
}

/** The size the panel's terminal has. Its columns follow from the width of a letter. */
export async function sizeOf(page: Page): Promise<Size> {
  return page.evaluate(() => {
    const screen = document.querySelector('.xterm-screen')!
    const context = document.createElement('canvas').getContext('2d')!
    context.font = "13px 'JetBrains Mono Variable'"
    return {
      rows: document.querySelectorAll('.xterm-rows > div').length,
      cols: Math.round(screen.clientWidth / context.measureText('W').width),
    }
  })
}

/** A page that holds xterm and nothing else. */
export async function openRawTerminal(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.setContent('<!doctype html><div id="t"></div>')
  await addXterm(page)
  return page
}

/** Loads xterm into a page, as it comes. */
export async function addXterm(page: Page): Promise<void> {
  await page.addStyleTag({ path: require.resolve('@xterm/xterm/css/xterm.css') })
  await page.addScriptTag({ path: require.resolve('@xterm/xterm') })
}

/** Writes lines into a new terminal, a thousand at a time; answers ms until the last one is taken in. */
export async function rawWrite(page: Page, size: Size, lines: readonly string[]): Promise<number> {
  await page.bringToFront()
  return page.evaluate(
    async ([size, lines]) => {
      const Terminal = (window as unknown as { Terminal: typeof XtermTerminal }).Terminal
      const terminal = new Terminal({
        convertEol: true,
        disableStdin: true,
        fontFamily: 'monospace',
        fontSize: 13,
        lineHeight: 1.1,
        ...size,
        scrollback: 10_000,
      })
      terminal.open(document.getElementById('t')!)
      const chunks: string[] = []
      for (let at = 0; at < lines.length; at += 1000)
        chunks.push(`${lines.slice(at, at + 1000).join('\n')}\n`)
      await new Promise((ready) => setTimeout(ready, 200))
      const start = performance.now()
      const took = await new Promise<number>((done) => {
        for (const [at, chunk] of chunks.entries())
          terminal.write(chunk, at === chunks.length - 1 ? () => done(performance.now() - start) : undefined)
      })
      terminal.dispose()
      return took
    },
    [size, lines] as const,
  )
}
