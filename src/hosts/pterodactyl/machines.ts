import { MACHINES_MOST, type HostMachine, type MachineList } from '../../contract/bridge/machine-calls.ts'
import { Lanes } from '../../contract/rules/lanes.ts'
import type { Dial } from '../../host/network/dial.ts'
import { type HostMachines, hostRefusal } from '../base/adapter.ts'
import type { Caller } from '../base/body.ts'
import { hostKeyAt } from '../sftp/host-key.ts'
import type { MachineSecrets } from './machine-secrets.ts'
import type { PanelSftp } from './panel-sftp.ts'
import { type PanelServers, placeNamed } from './servers.ts'

const AT_ONCE = 6
/** Servers, until a machine answers. */
const TRIED_MOST = 5

/** The machines of a panel's servers, as a person sees them. */
export class PanelMachines implements HostMachines {
  readonly #servers: PanelServers
  readonly #sftp: PanelSftp
  readonly #secrets: MachineSecrets
  readonly #dial: Dial

  constructor(servers: PanelServers, sftp: PanelSftp, secrets: MachineSecrets, dial: Dial) {
    this.#servers = servers
    this.#sftp = sftp
    this.#secrets = secrets
    this.#dial = dial
  }

  async list(meets: boolean, caller: Caller): Promise<MachineList> {
    const [serversAt, kept] = await Promise.all([this.#servers.machines(caller), this.#secrets.hostKeys()])
    const names = [...new Set([...serversAt.keys(), ...Object.keys(kept)])].slice(0, MACHINES_MOST)
    const lanes = new Lanes({ atOnce: AT_ONCE })
    const machines = names.map(async (machine) => {
      const isAsked = meets && kept[machine] === undefined
      const asked = isAsked ? await lanes.run(machine, () => this.#keyOf(machine), caller.signal) : null
      return { machine, hostKey: kept[machine] ?? asked }
    })
    return { machines: await Promise.all(machines), password: await this.#secrets.passwordState() }
  }

  forget(machine: string): Promise<void> {
    return this.#secrets.forget(machine)
  }

  async enter(password: string, machines: readonly HostMachine[], caller: Caller): Promise<void> {
    await this.#secrets.pin(...machines)
    const serversAt = await this.#servers.machines(caller)
    const servers = machines.flatMap(({ machine }) => serversAt.get(machine) ?? [])
    for (const id of servers.slice(0, TRIED_MOST)) {
      const isTaken = await this.#sftp.takes(id, password, caller)
      if (isTaken === false) throw hostRefusal(422, 'host.machine-password.wrong')
      if (isTaken === null) continue
      if (!(await this.#secrets.keepPassword(password))) throw hostRefusal(503, 'host.no-keychain')
      return this.#sftp.reopen()
    }
    throw hostRefusal(503, 'host.no-machine')
  }

  async forgetPassword(): Promise<void> {
    await this.#secrets.keepPassword(null)
    this.#sftp.reopen()
  }

  async #keyOf(machine: string): Promise<string | null> {
    return hostKeyAt({ ...placeNamed(machine), user: '', folder: '.' }, this.#dial).catch(() => null)
  }
}
