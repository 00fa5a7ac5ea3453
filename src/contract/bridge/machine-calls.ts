import { z } from 'zod'
import { call, connection, Secret } from './call.ts'

const MachineName = z.string().min(1).max(300)
/** A host has few; most have one. */
export const MACHINES_MOST = 50

/** A machine that is entered over SSH, as `host:port`, and its key as `ssh-ed25519 SHA256:…`. */
const HostMachine = z.object({ machine: MachineName, hostKey: z.string().min(1).max(200) })
export type HostMachine = z.output<typeof HostMachine>

export interface MachineList {
  /** `hostKey` null: it wasn't met yet, or doesn't answer. */
  machines: { machine: string; hostKey: string | null }[]
  /** Of the account, for machines that take no key. Null: none is asked for. */
  password: 'none' | 'kept' | 'refused' | null
}

/** The machines of a host, where servers' files are reached over SSH. */
export const machineCalls = {
  /** `meets`: those that weren't met are asked for their key; nothing is signed in. */
  'connections.machines': call<MachineList>().of(connection.extend({ meets: z.boolean() })),
  /** Its next key is accepted as its first. */
  'connections.forget-machine': call<void>().of(connection.extend({ machine: MachineName })),
  /** Checks the account's password at a machine, then keeps it. It is sent to these machines alone. */
  'connections.enter-machines': call<void>().of(
    connection.extend({ password: Secret, machines: z.array(HostMachine).min(1).max(MACHINES_MOST) }),
  ),
  'connections.forget-machine-password': call<void>().of(connection),
}
