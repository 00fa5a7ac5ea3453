import { readdir, readFile, stat } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { at } from '../../build/scripts/project.js'
import { buildStale } from '../../build/scripts/stale.js'

beforeAll(() => buildStale(), 120_000)

const read = (file: string) => readFile(at('out', file), 'utf8')

describe('the built preload', () => {
  it('is one small CommonJS file that loads nothing but Electron, as its sandbox demands', async () => {
    expect(await readdir(at('out/preload'))).toEqual(['index.cjs'])
    const code = await read('preload/index.cjs')
    expect([...code.matchAll(/require\("([^"]+)"\)/g)].map(([, name]) => name)).toEqual(['electron'])
    expect(code).not.toMatch(/^import |\bimport\(/m)
    expect((await stat(at('out/preload/index.cjs'))).size).toBeLessThan(4096)
  })
})

describe('the built page', () => {
  /** Scripts the page names, in the order they run. */
  const scripts = async (page: string) =>
    [...(await read(`renderer/${page}`)).matchAll(/<script[^>]* src="\.\/(assets\/[^"]+)"/g)].map(
      ([, file]) => file ?? '',
    )

  it('has no script and no style of its own in it, which its content security policy forbids', async () => {
    for (const page of ['index.html', 'browser.html']) {
      expect(await read(`renderer/${page}`)).not.toMatch(
        /<script(?![^>]* src=)[^>]*>|<style|\sstyle=|\son[a-z]+=/,
      )
    }
  })

  it("sets the browser's way in by itself, before anything of the renderer runs", async () => {
    const [first = '', ...more] = await scripts('browser.html')
    const own = await read(`renderer/${first}`)
    expect(own).toMatch(/window\.panel=/)
    expect(own).not.toMatch(/\bimport\b/)
    expect(more).not.toEqual([])
  })

  it("does not hold the browser's way in where Electron's preload is it", async () => {
    expect((await scripts('index.html')).filter((file) => file.includes('web-client'))).toEqual([])
  })

  it('holds no schema library', async () => {
    for (const name of await readdir(at('out/renderer/assets')))
      if (name.endsWith('.js'))
        expect(await read(`renderer/assets/${name}`), name).not.toMatch(/ZodError|\$ZodType/)
  })

  it('needs at most 70 kB of JS, compressed, for the first screen and what follows it at once', async () => {
    const seen = new Set<string>()
    const visit = async (file: string) => {
      if (seen.has(file)) return
      seen.add(file)
      const code = await read(`renderer/${file}`)
      for (const [, next] of code.matchAll(/(?:\bfrom|\bimport)\s*"\.\/([^"]+\.js)"/g))
        await visit(`assets/${next ?? ''}`)
    }
    for (const file of await scripts('browser.html')) await visit(file)
    // What is unread, and the pictures of servers, which nobody has to touch anything for (`messages/loaded.test.ts`).
    const following = (await readdir(at('out/renderer/assets'))).filter((file) =>
      /^(UnreadBadge|server-pictures)[.-].*\.js$/.test(file),
    )
    expect(following).toHaveLength(2)
    for (const file of following) await visit(`assets/${file}`)
    const code = await Promise.all([...seen].map((file) => read(`renderer/${file}`)))
    const sizes = code.map((text) => gzipSync(text, { level: 9 }).length)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(70_000)
  })
})
