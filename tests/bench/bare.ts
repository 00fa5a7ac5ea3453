import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { Pool } from 'undici'

/** Connections of a browser to one host. */
const CONNECTIONS = 6

/** Throws a sentence where curl is not there: without it there is no limit to compare with. */
export function requireCurl(): void {
  const found = (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, 'curl')))
  if (!found)
    throw new Error(
      'The limit of an upload is `curl -T`, and curl is not here. Install it, on Debian with: sudo apt-get install curl',
    )
}

/** A server that writes to disk what is PUT, in a process of its own. */
export class BareServer {
  readonly folder: string
  readonly #child: ChildProcess
  readonly #origin: string

  private constructor(folder: string, child: ChildProcess, port: number) {
    this.folder = folder
    this.#child = child
    this.#origin = `http://127.0.0.1:${port}`
  }

  static async start(folder: string): Promise<BareServer> {
    await mkdir(folder, { recursive: true })
    const child = fork(join(import.meta.dirname, 'bare-server.ts'), [folder], {
      execArgv: ['--disable-warning=ExperimentalWarning'],
    })
    const { port } = await new Promise<AddressInfo>((resolve, reject) => {
      child.once('message', (address) => resolve(address as AddressInfo))
      child.once('exit', (code) => reject(new Error(`The bare server ended with exit code ${code}.`)))
    })
    return new BareServer(folder, child, port)
  }

  /**
   * `curl -T` of one file, while this side reads and hashes it too, and the bare server hashes what it writes: what an
   * upload that is verified costs at least. Answers ms until all of that is done.
   */
  async hashedCurl(file: string, name: string): Promise<number> {
    const began = performance.now()
    const address = `${this.#origin}/hashed/${name}`
    const arguments_ = ['-sS', '-f', '-o', '/dev/null', '-T', file, address]
    await Promise.all([ends('curl', arguments_), ends('sha256sum', [file])])
    return performance.now() - began
  }

  /** The PUT of one file by a browser, from a page that does nothing else; answers ms. */
  async put(page: Page, file: string, name: string): Promise<number> {
    await page.goto(this.#origin)
    await page.locator('input').setInputFiles(file, { timeout: 120_000 })
    return page.evaluate(async (address) => {
      const picked = document.querySelector('input')?.files?.[0]
      const began = performance.now()
      const answer = await fetch(address, { method: 'PUT', body: picked ?? null })
      if (answer.status !== 201) throw new Error(`PUT was answered by ${answer.status}.`)
      return performance.now() - began
    }, `/${name}`)
  }

  /** Lists a folder in a page that does nothing else: asks, sorts, and shows the rows that fit; answers ms. */
  async list(page: Page, folder: string): Promise<number> {
    if (!page.url().startsWith(this.#origin)) await page.goto(this.#origin)
    return page.evaluate(
      async (address) => {
        const began = performance.now()
        const answer = await fetch(address)
        const { items } = (await answer.json()) as {
          items: { name: string; size: number; modifiedAt: string }[]
        }
        const { compare } = new Intl.Collator('en', { numeric: true })
        items.sort((a, b) => compare(a.name, b.name))
        const rows = items.slice(0, 40).map(({ name, size, modifiedAt }) => {
          const row = document.createElement('div')
          for (const text of [name, String(size), new Date(modifiedAt).toLocaleString()])
            row.append(Object.assign(document.createElement('span'), { textContent: text }))
          return row
        })
        document.body.replaceChildren(...rows)
        await new Promise((shown) => requestAnimationFrame(() => setTimeout(shown)))
        return performance.now() - began
      },
      `/list/${encodeURIComponent(folder)}`,
    )
  }

  /** PUTs every file of a folder, each by itself; answers ms. */
  async putAll(from: string): Promise<number> {
    const pool = new Pool(this.#origin, { connections: CONNECTIONS, pipelining: 1 })
    const began = performance.now()
    const names = await readdir(from)
    const worker = async () => {
      for (let name = names.shift(); name !== undefined; name = names.shift()) {
        const body = await readFile(join(from, name))
        const { statusCode, body: answer } = await pool.request({
          method: 'PUT',
          path: `/${encodeURIComponent(name)}`,
          body,
        })
        await answer.dump()
        if (statusCode !== 201) throw new Error(`PUT was answered by ${statusCode}.`)
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, worker))
    const took = performance.now() - began
    await pool.close()
    return took
  }

  async close(): Promise<void> {
    const exit = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#child.disconnect()
    await exit
  }
}

async function ends(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${program} ended with exit code ${String(code)}.`)
}
