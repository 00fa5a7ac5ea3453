import type { Page } from '@playwright/test'
import type { ServerRef } from '../../src/contract/bridge/values.ts'
import type { Transfer } from '../../src/contract/bridge/transfer-values.ts'
import type { Bench } from './panel.ts'

declare global {
  interface Window {
    /** Ms from the moment files were picked until their transfer had ended. */
    uploaded: Promise<{ took: number; failed: number; state: string }>
  }
}

/** The files of a server in a browser, to which a person gives files by the inputs that are there for it. */
export class FilesPage {
  readonly page: Page

  private constructor(page: Page) {
    this.page = page
  }

  static async open(bench: Bench, { connectionId, serverId }: ServerRef): Promise<FilesPage> {
    const page = await bench.context.newPage()
    await page.goto(`${bench.address}#/c/${connectionId}/s/${serverId}/files`)
    await page.locator('input[type=file]').first().waitFor({ state: 'attached' })
    return new FilesPage(page)
  }

  /** Picks a file; answers ms until it is at the server. */
  pick(file: string): Promise<number> {
    return this.#give('input[type=file]:not([webkitdirectory])', file)
  }

  /** Picks a folder; answers ms until all of it is at the server. */
  pickFolder(folder: string): Promise<number> {
    return this.#give('input[type=file][webkitdirectory]', folder)
  }

  async close(): Promise<void> {
    await this.page.close()
  }

  async #give(input: string, path: string): Promise<number> {
    await this.page.evaluate(() => {
      window.uploaded = new Promise((resolve) => {
        let began = 0
        let known: Set<string> | null = null
        const picked = new Promise<void>((done) =>
          addEventListener(
            'change',
            () => {
              began = performance.now()
              done()
            },
            { capture: true, once: true },
          ),
        )
        const before = window.panel.call('transfers.list', undefined).then((outcome) => {
          known = new Set(outcome.ok ? outcome.value.items.map(({ id }) => id) : [])
        })
        const stop = window.panel.on('transfers', ({ items }) => {
          const mine = items.find(({ id }: Transfer) => known && !known.has(id))
          if (!mine?.endedAt) return
          const took = performance.now() - began
          stop()
          void Promise.all([picked, before]).then(() =>
            resolve({ took, failed: mine.filesFailed, state: mine.state }),
          )
        })
      })
    })
    await this.page.locator(input).setInputFiles(path, { timeout: 120_000 })
    const { took, failed, state } = await this.page.evaluate(() => window.uploaded)
    if (state !== 'done') throw new Error(`The upload of the page ended as ${state}, ${failed} files failed.`)
    return took
  }
}
