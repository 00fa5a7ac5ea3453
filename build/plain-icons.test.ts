import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compile } from 'svelte/compiler'
import { expect, it } from 'vitest'
import { plainIcon } from './plain-icons.js'

const root = join(import.meta.dirname, '..')
const views = globSync('src/renderer/**/*.svelte', { cwd: root }).map((file) => ({
  file,
  text: readFileSync(join(root, file), 'utf8'),
}))
const imported = /import (\w+) from '@lucide\/svelte\/icons\/([\w-]+)'/g

it('every icon of the panel is written as markup that Svelte compiles', () => {
  const names = new Set(
    views.flatMap(({ text }) => [...text.matchAll(imported)].map((found) => found[2] ?? '')),
  )
  expect(names.size).toBeGreaterThan(50)
  for (const name of names) {
    const at = (file: string) =>
      readFileSync(join(root, `node_modules/@lucide/svelte/dist/icons/${file}`), 'utf8')
    // An icon that was renamed only passes on the one of its new name.
    const component = /from "\.\/(.+\.svelte)"/.exec(at(`${name}.js`))?.[1] ?? ''
    const written = plainIcon(at(component))
    expect(written).toMatch(/<(path|circle|rect|line|polyline|polygon|ellipse) /)
    expect(compile(written, { generate: 'client' }).warnings).toEqual([])
  }
})

it('an icon is given nothing that its markup does not take', () => {
  const given = views.flatMap(({ file, text }) => {
    const icons = ['Icon', ...[...text.matchAll(imported)].map((found) => found[1] ?? '')]
    const used = new RegExp(`<(?:\\w+\\.icon|${icons.join('|')})\\s((?:[^<>{}]|\\{[^{}]*\\})*)/>`, 'g')
    return [...text.matchAll(used)].flatMap((found) => {
      const attributes = (found[1] ?? '')
        .replaceAll(/\{[^{}]*\}|"[^"]*"/g, '')
        .matchAll(/[\w-]+|\.\.\.|@attach/g)
      return [...attributes].map(([name]) => ({ file, name }))
    })
  })
  expect(given.length).toBeGreaterThan(100)
  const taken = ['size', 'strokeWidth', 'class', 'aria-hidden']
  expect(given.filter(({ name }) => !taken.includes(name))).toEqual([])
})
