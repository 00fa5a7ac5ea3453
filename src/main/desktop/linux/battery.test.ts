import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { followLinuxBattery, linuxOnBattery } from './battery.ts'

/** A folder as the kernel has it, with what each supply says. */
async function supplies(all: Record<string, Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'power-supply-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [name, says] of Object.entries(all)) {
    await mkdir(join(folder, name))
    for (const [file, word] of Object.entries(says)) await writeFile(join(folder, name, file), `${word}\n`)
  }
  return folder
}
const battery = (status: string) => ({ type: 'Battery', status })
const mains = (online: string) => ({ type: 'Mains', online })

it.each([
  ['a laptop without its cable', { BAT0: battery('Discharging'), AC: mains('0') }, true],
  ['a laptop that charges', { BAT0: battery('Charging'), AC: mains('1') }, false],
  ['a laptop that is full', { BAT0: battery('Full'), AC: mains('1') }, false],
  ['a laptop that draws more than its cable gives', { BAT0: battery('Discharging'), AC: mains('1') }, false],
  [
    'a laptop that is charged by USB alone',
    { BAT0: battery('Charging'), AC: mains('0'), usb: { type: 'USB', online: '1' } },
    false,
  ],
  ['a laptop that says nothing of a cable', { BAT0: battery('Discharging') }, true],
  ['one of two batteries', { BAT0: battery('Unknown'), BAT1: battery('Discharging'), AC: mains('0') }, true],
  [
    'a computer with a mouse that has a battery',
    { hid: { ...battery('Discharging'), scope: 'Device' } },
    false,
  ],
  [
    'a mouse that charges, beside a laptop',
    { BAT0: battery('Discharging'), hid: { ...mains('1'), scope: 'Device' } },
    true,
  ],
  ['a computer without a battery', {}, false],
])('%s', async (_what, all, isOnBattery) => {
  expect(await linuxOnBattery(await supplies(all))).toBe(isOnBattery)
})

it('where nothing can be read, no battery is in use', async () => {
  expect(await linuxOnBattery('/nowhere/at/all')).toBe(false)
  const folder = await supplies({ BAT0: { type: 'Battery' } })
  // As where a supply is gone between two looks.
  await mkdir(join(folder, 'BAT0', 'status'))
  expect(await linuxOnBattery(folder)).toBe(false)
})

it('each change is told once, until nobody listens', async () => {
  const said = [false, true, true, false]
  const told: boolean[] = []
  const asked = Promise.withResolvers<void>()
  const late = Promise.withResolvers<boolean>()
  const stop = followLinuxBattery(
    (on) => told.push(on),
    () => {
      const now = said.shift()
      if (now !== undefined) return Promise.resolve(now)
      asked.resolve()
      return late.promise
    },
    1,
  )
  await asked.promise
  expect(told).toEqual([true, false])
  stop()
  late.resolve(true)
  await late.promise
  expect(told).toEqual([true, false])
})
