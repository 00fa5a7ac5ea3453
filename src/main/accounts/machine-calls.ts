import { localizedError } from '../../contract/messages/error-report.ts'
import { localized } from '../../contract/messages/localized-text.ts'
import { HostRefusal, type HostMachines } from '../../hosts/base/adapter.ts'
import type { Caller } from '../../hosts/base/body.ts'
import { transportProblem } from '../api/requests/transport-problem.ts'
import { problem } from '../base/problem.ts'
import type { AreaHandlers } from '../bridge/handlers.ts'
import type { Connections } from './connections.ts'

const PATIENCE_MS = 60_000

type MachineCall = Extract<keyof AreaHandlers<'connections'>, `${string}machine${string}`>

/** What a person sees and decides of the machines that a host's files are on. */
export function machineCalls(connections: Connections): Pick<AreaHandlers<'connections'>, MachineCall> {
  const at = async <T>(
    connectionId: string,
    work: (machines: Required<HostMachines>, caller: Caller) => Promise<T>,
  ): Promise<T> => {
    const { machines, key } = await connections.machines(connectionId)
    if (key === null) throw problem('signed-out', localized('account.sign-in-first'))
    try {
      return await work(offered(machines), { key, signal: AbortSignal.timeout(PATIENCE_MS) })
    } catch (error) {
      if (!(error instanceof HostRefusal))
        throw transportProblem(error, new URL(connections.get(connectionId).baseUrl).host)
      const why = localizedError(error.told ?? { message: error.message })
      if (error.status === 422) throw problem('invalid', why, { fields: { password: [why.message] } })
      throw problem('refused', why, error.told ? { serviceCode: error.told.sentence } : {})
    }
  }
  return {
    'connections.machines': ({ connectionId, meets }) =>
      at(connectionId, (machines, caller) => machines.list(meets, caller)),
    'connections.forget-machine': ({ connectionId, machine }) =>
      at(connectionId, (machines) => machines.forget(machine)),
    'connections.enter-machines': ({ connectionId, password, machines: shown }) =>
      at(connectionId, (machines, caller) => machines.enter(password, shown, caller)),
    'connections.forget-machine-password': ({ connectionId }) =>
      at(connectionId, (machines) => machines.forgetPassword()),
  }
}

/** The window doesn't ask for what isn't there. */
const absent = () => Promise.reject(problem('unavailable', localized('answer.unavailable')))
const offered = (machines: HostMachines | null): Required<HostMachines> => ({
  list: (...asked) => machines?.list(...asked) ?? Promise.resolve({ machines: [], password: null }),
  forget: (...asked) => machines?.forget?.(...asked) ?? absent(),
  enter: (...asked) => machines?.enter?.(...asked) ?? absent(),
  forgetPassword: () => machines?.forgetPassword?.() ?? absent(),
})
