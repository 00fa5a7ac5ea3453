import { readFile } from 'node:fs/promises'
import { existsSync, readdirSync } from 'node:fs'
import { Resvg } from '@resvg/resvg-js'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { iconFiles, linuxSizes, macSizes, templateOf, windowsSizes } from './icon-files.js'
import { at } from './project.js'

const sideOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)]
const isPng = (bytes: Buffer) => bytes.subarray(1, 4).toString() === 'PNG'

it('every icon is what the drawing gives', async () => {
  for (const [name, content] of await iconFiles()) {
    const kept = await readFile(at(name))
    const differs = Buffer.compare(kept, Buffer.from(content)) !== 0
    expect(differs && `${name} is not what build/icons/icon.svg gives: npm run icons`).toBe(false)
  }
  const kept = readdirSync(at('build/icons'), { recursive: true }).map(
    (name) => `build/icons/${String(name)}`,
  )
  const made = [...(await iconFiles()).keys(), 'build/icons/icon.svg', 'build/icons/linux']
  expect(kept.map((name) => name.replaceAll('\\', '/')).filter((name) => !made.includes(name))).toEqual([])
})

it('Linux has each size as a file of that size', async () => {
  expect(Math.min(...linuxSizes)).toBe(16)
  expect(Math.max(...linuxSizes)).toBe(1024)
  for (const side of linuxSizes)
    expect(sideOf(await readFile(at(`build/icons/linux/${side}x${side}.png`)))).toEqual([side, side])
})

it('Windows has all sizes in one file, each with all its pixels', async () => {
  const ico = await readFile(at('build/icons/icon.ico'))
  expect([ico.readUInt16LE(2), ico.readUInt16LE(4)]).toEqual([1, windowsSizes.length])
  const sides = windowsSizes.map((_side, index) => {
    const entry = 6 + 16 * index
    const [bytes, from] = [ico.readUInt32LE(entry + 8), ico.readUInt32LE(entry + 12)]
    const picture = ico.subarray(from, from + bytes)
    expect(picture).toHaveLength(bytes)
    const side = ico.readUInt8(entry) || 256
    // A bitmap says twice its height: its mask is below it.
    expect(isPng(picture) ? sideOf(picture) : [picture.readInt32LE(4), picture.readInt32LE(8) / 2]).toEqual([
      side,
      side,
    ])
    return side
  })
  expect(sides.toSorted((a, b) => a - b)).toEqual(windowsSizes)
})

it('macOS has all sizes in one file, by their names', async () => {
  const icns = await readFile(at('build/icons/icon.icns'))
  expect([icns.toString('latin1', 0, 4), icns.readUInt32BE(4)]).toEqual(['icns', icns.length])
  const found: Record<string, number> = {}
  for (let from = 8; from < icns.length; from += icns.readUInt32BE(from + 4)) {
    const picture = icns.subarray(from + 8, from + icns.readUInt32BE(from + 4))
    expect(isPng(picture)).toBe(true)
    found[icns.toString('latin1', from, from + 4)] = sideOf(picture)[0] ?? 0
  }
  expect(found).toEqual(macSizes)
})

it('the template for the menu bar of macOS is black and transparent alone, and no square', async () => {
  const svg = templateOf(await readFile(at('build/icons/icon.svg'), 'utf8'))
  const { pixels, width } = new Resvg(svg, { fitTo: { mode: 'width', value: 32 } }).render()
  const alphas = new Set<number>()
  for (let i = 0; i < pixels.length; i += 4) {
    expect([...pixels.subarray(i, i + 3)]).toEqual([0, 0, 0])
    alphas.add(pixels[i + 3] ?? 0)
  }
  expect(alphas.has(0) && alphas.has(255)).toBe(true)
  expect(pixels[(2 * width + 9) * 4 + 3]).toBe(0)
})

it('are the ones that installers are made with', async () => {
  const { linux, mac, win } = parse(await readFile(at('build/electron-builder.yml'), 'utf8')) as Record<
    string,
    { icon: string }
  >
  expect([linux?.icon, mac?.icon, win?.icon]).toEqual(
    ['linux', 'icon.icns', 'icon.ico'].map((name) => `build/icons/${name}`),
  )
  for (const one of [linux, mac, win]) expect(existsSync(at(one?.icon ?? ''))).toBe(true)
})
