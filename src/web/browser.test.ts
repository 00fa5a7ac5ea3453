import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Browser } from './browser.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'browser-'))
  await mkdir(path.join(folder, 'other'))
})
afterEach(() => rm(folder, { recursive: true }))

const CODE = 'what-nobody-else-knows'
const address = `http://127.0.0.1:1234/?code=${CODE}`
const files = async () => (await readdir(folder)).filter((name) => name.endsWith('.html'))

describe('the browser', () => {
  it('is given a file that this user alone can read and that leads on, and never the address', async () => {
    const given: string[] = []
    const modes: number[] = []
    const browser = new Browser(folder, async (file) => {
      given.push(file)
      modes.push((await stat(file)).mode & 0o777)
      expect(await readFile(file, 'utf8')).toContain(`content="0; url=${address}"`)
    })
    await browser.open(address)
    expect(given.join()).not.toContain(CODE)
    expect(modes).toEqual([0o600])
  })

  it('has its file removed once it is there, and all at the end, those of a run that crashed too', async () => {
    const browser = new Browser(folder, async () => {})
    await browser.open(address, Promise.resolve())
    await expect.poll(files).toEqual([])
    await browser.open(address, new Promise(() => {}))
    await browser.open(address)
    await writeFile(path.join(folder, `${randomUUID()}.html`), '')
    await writeFile(path.join(folder, 'index.html'), 'somebody made this')
    expect(await files()).toHaveLength(4)
    await browser.sweep()
    expect((await readdir(folder)).sort()).toEqual(['index.html', 'other'])
  })

  it('is led where the address says, whatever stands in it', async () => {
    let page = ''
    const browser = new Browser(folder, async (file) => void (page = await readFile(file, 'utf8')))
    await browser.open('https://example.com/a"><script>b</script>?c=1&amp;d=<e>\'f')
    expect(page).not.toMatch(/<script|"><|<e>/)
    expect(page).toContain('?c=1&amp;amp;d=')
  })

  it('that cannot be started is told, and there is nothing left of it at the end', async () => {
    const browser = new Browser(folder, () => Promise.reject(new Error('no browser')))
    await expect(browser.open(address)).rejects.toThrow('no browser')
    await browser.sweep()
    expect(await files()).toEqual([])
  })
})
