import type { z } from 'zod'
import { type StartupVariable, VALUE_MOST } from '../../contract/areas/hosting.ts'
import { asOneLine } from '../../contract/messages/one-line.ts'
import { type HostOperations, HostRefusal } from '../base/adapter.ts'
import { EggVariable, StartupMeta } from './answers.ts'
import type { PanelApi } from './panel-api.ts'
import { type PanelServers, pathOf } from './servers.ts'

const VARIABLES_MOST = 200
const IMAGES_MOST = 100
const TEXT_MOST = 2000

/** What the egg of a server lets its owner choose: variables, the image (which brings Java), another installation. */
export const startupOf = (api: PanelApi, servers: PanelServers): HostOperations => ({
  'hosting.startup': async (caller) => {
    const id = caller.params.serverId
    const [{ items, meta }, { docker_image: image }] = await Promise.all([
      api.listed(`${pathOf(id)}/startup`, EggVariable, caller),
      servers.details(id, caller),
    ])
    const { startup_command: command, docker_images: images } = StartupMeta.safeParse(meta).data ?? {}
    return {
      command: command && asOneLine(command).slice(0, TEXT_MOST),
      image,
      images: Object.entries(images ?? {})
        .slice(0, IMAGES_MOST)
        .map(([name, one]) => ({ image: one, name: Array.isArray(images) ? null : asOneLine(name) })),
      variables: items.slice(0, VARIABLES_MOST).map(variableOf),
    }
  },
  'hosting.change-startup': async (caller) => {
    const fields: Record<string, string[]> = {}
    let refused: HostRefusal | null = null
    // One at a time is all that the panel takes. What it refuses of one is no reason to keep the others.
    for (const json of caller.body.values) {
      try {
        const path = `${pathOf(caller.params.serverId)}/startup/variable`
        await api.send(path, caller, { method: 'PUT', json })
      } catch (error) {
        if (!(error instanceof HostRefusal) || error.status !== 422) throw error
        refused = error
        fields[json.key] = error.fields?.['value'] ?? [error.message]
      }
    }
    if (refused) throw new HostRefusal(422, refused.told ?? refused.message, { fields })
  },
  'hosting.choose-image': (caller) => {
    const json = { docker_image: caller.body.image }
    return api.send(`${pathOf(caller.params.serverId)}/settings/docker-image`, caller, {
      method: 'PUT',
      json,
    })
  },
  'hosting.reinstall': async (caller) => {
    await api.send(`${pathOf(caller.params.serverId)}/settings/reinstall`, caller, { method: 'POST' })
    return { accepted: true }
  },
})

function variableOf(variable: z.output<typeof EggVariable>): StartupVariable {
  const { name, description, server_value: value, default_value: byDefault, rules } = variable
  return {
    key: variable.env_variable,
    name: name && asOneLine(name).slice(0, TEXT_MOST),
    description: description && asOneLine(description).slice(0, TEXT_MOST),
    value: value?.slice(0, VALUE_MOST),
    default: byDefault?.slice(0, VALUE_MOST),
    rules: rules?.slice(0, TEXT_MOST),
    // A value that is cut off must not be saved.
    editable: variable.is_editable !== false && (value?.length ?? 0) <= VALUE_MOST,
  }
}
