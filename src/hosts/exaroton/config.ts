import { type HostOperations, hostRefusal } from '../base/adapter.ts'
import type { Caller } from '../base/body.ts'
import { changeConfig, readConfig } from '../game/config.ts'
import type { ExarotonFiles } from './files.ts'
import type { ExarotonServers } from './servers.ts'

/** GiB that a server may have. */
const RAM = { least: 2, most: 16 }
const MIB_IN_GIB = 1024

type ServerCaller = Caller & { params: { serverId: string }; set(name: string, value: string): void }

/** The game's settings by their file, and the memory by exaroton's own option. */
export function configOf(servers: ExarotonServers, files: ExarotonFiles): HostOperations {
  const placeOf = async (id: string, caller: Caller) => {
    const { name, software } = await servers.look(id, caller)
    return { files: files.game(id), name, version: software?.version ?? null, hasOwnPort: true }
  }
  const read = async (caller: ServerCaller) => {
    const { serverId: id } = caller.params
    const [{ config, tag }, memoryMb] = await Promise.all([
      readConfig(await placeOf(id, caller), caller),
      servers.readMemory(id, caller),
    ])
    caller.set('etag', tag)
    return { ...config, ...(memoryMb !== null && { memoryMb }) }
  }
  return {
    'servers.read-config': read,
    'servers.change-config': async (caller) => {
      const { serverId: id } = caller.params
      const { memoryMb, properties, ...others } = caller.body
      if (Object.keys(others).length > 0) throw hostRefusal(422, 'host.elsewhere')
      const ram = memoryMb === undefined ? null : ramOf(memoryMb)
      if (properties)
        await changeConfig(await placeOf(id, caller), properties, caller.header('if-match'), caller)
      if (ram !== null) await servers.changeRam(id, ram, caller)
      return read(caller)
    },
  }
}

function ramOf(memoryMb: number): number {
  const ram = memoryMb / MIB_IN_GIB
  if (!Number.isInteger(ram) || ram < RAM.least || ram > RAM.most)
    throw hostRefusal(422, 'exaroton.memory', RAM)
  return ram
}
