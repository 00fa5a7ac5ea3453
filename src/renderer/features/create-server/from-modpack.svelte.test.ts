import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-svelte'
import type { Connection, PackPlan as Plan, PackVersion, View } from '../../../contract/bridge/values.ts'
import '../../app/theme.css'
import { panel } from '../../core/panel.svelte.ts'
import { ScriptedBridge } from '../../core/scripted-bridge.fixture.ts'
import { ChosenPack } from '../../catalog/chosen-pack.svelte.ts'
import PackPlan from '../../catalog/PackPlan.svelte'
import FromModpack from './FromModpack.svelte'

const license = { name: 'Minecraft EULA', url: 'https://aka.ms/MinecraftEULA' }
const plan: Plan = { name: 'Cozy', software: { id: 'fabric', name: 'Fabric', version: '1.21' }, license }
const shown = <T>(value: T): { ok: true; value: View<T> } => ({
  ok: true,
  value: { value, asOf: null, stale: false, problem: null },
})
const away = {
  ok: false as const,
  problem: { code: 'service-failed' as const, message: '', retryable: true },
}
const list = <T>(items: T[]) => shown({ items, leftOut: [], more: false, next: null })

let connectionId = 0

/** A service whose catalog has two packs in these versions; null: they cannot be read. */
function service(versions: PackVersion[] | null): { connectionId: string } {
  const connection: Connection = {
    ...{ id: `p${++connectionId}`, kind: 'service', name: 'a.example', baseUrl: 'https://a.example/api/v1' },
    ...{ user: null, tokenKept: 'keychain', expiresAt: null, state: { kind: 'ready' } },
  }
  const names = ['Cozy', 'Wild']
  window.panel = new ScriptedBridge({
    'view modpacks.search': () => list(names.map((name) => ({ id: name, name, hasIcon: false }))),
    'view modpacks.versions': () => (versions ? list(versions) : away),
    'view modpacks.plan': () => shown(plan),
    'view modpacks.foresee': () => shown(plan),
  })
  panel.take(connection)
  return { connectionId: connection.id }
}

const isNotCreated = () =>
  expect
    .element(page.getByRole('button', { name: 'Create and start' }))
    .toHaveAttribute('aria-disabled', 'true')

it('a modpack whose versions are not known says so, and never that it is being looked into', async () => {
  await render(FromModpack, service(null))
  await page.getByRole('button', { name: /Cozy/ }).click()
  await expect.element(page.getByText('The versions of this modpack couldn’t be loaded')).toBeVisible()
  await isNotCreated()
  await expect.element(page.getByText('Reading the modpack…')).not.toBeInTheDocument()
})

it('a modpack without a version says so', async () => {
  await render(FromModpack, service([]))
  await page.getByRole('button', { name: /Cozy/ }).click()
  await expect.element(page.getByRole('note')).toMatchTextContent(/has no version that can be installed/)
  await isNotCreated()
})

it('an acceptance is of one modpack', async () => {
  await render(FromModpack, service([{ id: 'v1', name: '1' }]))
  const accept = page.getByRole('checkbox', { name: /^I accept/ })
  await page.getByRole('button', { name: /Cozy/ }).click()
  await accept.click()
  await page.getByRole('button', { name: 'Choose another modpack' }).click()
  await page.getByRole('button', { name: /Wild/ }).click()
  await expect.element(accept).not.toBeChecked()
})

it.each([{ versions: null }, { versions: [] }])(
  'what an update would do is shown also where other versions are not known',
  async ({ versions }) => {
    const at = { ...service(versions), serverId: 's1' }
    const pack = new ChosenPack(at, { project: 'Cozy', versionId: 'v2' })
    await render(PackPlan, { pack, versions: true })
    await expect.element(page.getByText('Fabric 1.21')).toBeVisible()
    await expect.element(page.getByRole('note')).not.toBeInTheDocument()
  },
)
