import { expect, it } from 'vitest'
import { type DesktopChoices, type DesktopLack, staysInTray } from '../../contract/bridge/desktop-calls.ts'
import type { AutostartPort } from './autostart.ts'
import { ChoicesStore } from './choices.ts'

/** A system that starts programs, unless it does not want to. */
class System implements AutostartPort {
  on = false
  takes = true
  fails = false
  written: boolean[] = []
  isOn = () => Promise.resolve(this.on)
  set = (on: boolean) => {
    if (this.fails) return Promise.reject(new Error('EACCES'))
    this.written.push(on)
    if (this.takes) this.on = on
    return Promise.resolve()
  }
}

/** Choices that are kept in memory; `again` is the next start. */
function choicesWith(system: System | null) {
  let kept: string | null = null
  const told: DesktopChoices[] = []
  const cache = {
    readSetting: () => Promise.resolve(kept),
    writeSetting: (_name: string, value: string) => Promise.resolve(void (kept = value)),
  }
  const again = () => new ChoicesStore(cache, (now) => told.push(now), system)
  return { choices: again(), again, told, kept: () => JSON.parse(kept ?? '{}') as Partial<DesktopChoices> }
}

it('what the desktop lacks is told with the choices, and without a tray nothing stays in it', async () => {
  let lacks: DesktopLack[] = ['tray']
  const cache = { readSetting: async () => '{"tray":true}', writeSetting: async () => undefined }
  const store = new ChoicesStore(
    cache,
    () => undefined,
    null,
    null,
    async () => lacks,
  )
  const now = await store.read()
  expect(now).toMatchObject({ tray: true, lacks: ['tray'] })
  expect(staysInTray(now)).toBe(false)
  // As where the extension is turned on.
  lacks = []
  expect(staysInTray(await store.read())).toBe(true)
  expect(await store.read()).not.toHaveProperty('lacks')
  expect(staysInTray({ tray: false })).toBe(false)
})

it('starting with the system is chosen once the system has taken it', async () => {
  const system = new System()
  const { choices, told, kept } = choicesWith(system)
  expect(await choices.change({ autostart: true })).toMatchObject({ autostart: true })
  expect(system.written).toEqual([true])
  expect(told).toMatchObject([{ autostart: true }])
  expect(kept()).toMatchObject({ autostart: true })
})

it.each([
  ['cannot be written', { fails: true }],
  ['is not allowed by the system', { takes: false }],
])('nothing is chosen where it %s, and a sentence says what to do', async (_how, as) => {
  const { choices, told, kept } = choicesWith(Object.assign(new System(), as))
  await expect(choices.change({ autostart: true, tray: true })).rejects.toMatchObject({
    problem: {
      code: 'conflict',
      text: { key: 'desktop.autostart-not-on' },
      serviceCode: 'computer.autostart',
    },
  })
  expect(told).toEqual([])
  expect(kept()).toEqual({})
  expect(await choices.read()).toMatchObject({ autostart: false, tray: false })
  // What comes after does not suffer from it.
  expect(await choices.change({ tray: true })).toMatchObject({ autostart: false, tray: true })
})

it('a panel that is not installed says so, and chooses all else', async () => {
  const { choices } = choicesWith(null)
  await expect(choices.change({ autostart: true })).rejects.toMatchObject({
    problem: { code: 'unavailable', text: { key: 'desktop.autostart-not-installed' } },
  })
  expect(await choices.change({ tray: true })).toMatchObject({ autostart: false, tray: true })
})

it('what was turned off in the settings of the system is shown so, and stays off at the next start', async () => {
  const system = new System()
  const { choices, again } = choicesWith(system)
  await choices.change({ autostart: true })
  system.on = false
  expect(await choices.read()).toMatchObject({ autostart: false })
  await again().renewAutostart()
  expect(system.written).toEqual([true])
})

it('each start renews what was chosen here, and only that', async () => {
  const system = Object.assign(new System(), { on: true })
  const { choices, again } = choicesWith(system)
  await choices.renewAutostart()
  expect(system.written).toEqual([])
  await choices.change({ autostart: true })
  await again().renewAutostart()
  expect(system.written).toEqual([true, true])
})

it('changes follow each other', async () => {
  const system = new System()
  const { choices } = choicesWith(system)
  await Promise.all([choices.change({ autostart: true }), choices.change({ autostart: false })])
  expect(system.written).toEqual([true, false])
  expect(await choices.read()).toMatchObject({ autostart: false })
})
