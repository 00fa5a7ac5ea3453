import { fork, spawn, type ChildProcess } from 'node:child_process'
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

  /** `curl -T` of one file; answers ms. */
  async curl(file: string, name: string): Promise<number> {
    const began = performance.now()
    const curl = spawn('curl', ['-sS', '-f', '-o', '/dev/null', '-T', file, `${this.#origin}/${name}`], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    const code = await new Promise((resolve) => curl.once('close', resolve))
    if (code !== 0) throw new Error(`curl ended with exit code ${String(code)}.`)
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
