import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { node24 } from '../scripts/project.js'
import { packedProgram, startAndEnd } from './start-packed.js'

/** Starts a program that stands in for the packed one, and ends it. */
async function started(text: string, limit = 60_000) {
  const folder = await mkdtemp(join(tmpdir(), 'wheelhouse-packed-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const program = join(folder, 'program.cjs')
  const holder = join(folder, 'panel.holder.json')
  await writeFile(
    program,
    `const open = () => require('fs').writeFileSync(${JSON.stringify(holder)}, '{}')\n${text}`,
  )
  await startAndEnd(node24(), [program], folder, { limit, stays: 50 })
}
const stay = 'setInterval(() => {}, 1000)'
const signals = it.runIf(process.platform !== 'win32')

signals('a packed program that opens its panel and ends in order is one that starts', async () => {
  await started(`process.on('SIGTERM', () => process.exit(0)); ${stay}; open()`)
})

it.each([
  ['ends before its panel opens', 'process.exit(3)', 'ended by itself: 3'],
  ['ends once it is open', 'open(); process.exit(4)', /(ended by itself|did not stay open): 4/],
])('one that %s fails', async (_what, text, said) => {
  await expect(started(text)).rejects.toThrow(said)
})

it('one that opens no panel fails, and is ended', async () => {
  await expect(started(stay, 200)).rejects.toThrow('opened no panel')
})

signals('one that fails while it ends fails', async () => {
  await expect(started(`process.on('SIGTERM', () => process.exit(7)); ${stay}; open()`)).rejects.toThrow(
    'ended with 7',
  )
})

it('is found where it is packed', () => {
  expect(packedProgram('linux', 'x64')).toBe('dist/linux-unpacked/wheelhouse')
  expect(packedProgram('linux', 'arm64')).toBe('dist/linux-arm64-unpacked/wheelhouse')
  expect(packedProgram('win32', 'x64')).toBe('dist/win-unpacked/Wheelhouse.exe')
  expect(packedProgram('darwin', 'arm64')).toContain('dist/mac-universal/Wheelhouse.app/')
})
