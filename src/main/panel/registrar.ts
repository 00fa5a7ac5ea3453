import type { z } from 'zod'
import { calls, type CallName, type ParsedCallInput } from '../../contract/bridge/calls.ts'
import type { Call } from '../../contract/bridge/call.ts'
import { inputFaults } from '../../contract/declarations/input-faults.ts'
import type { RefusalText } from '../../contract/messages/refusals/index.ts'
import { localized } from '../../contract/messages/localized-text.ts'
import { textsAtFields, localizedError } from '../../contract/messages/error-report.ts'
import { sentenceOf } from '../../contract/messages/refusals/field-error.ts'
import { problem } from '../base/problem.ts'
import type { WindowLink } from '../base/windows.ts'
import { activityCalls, type ActivityDependencies } from '../areas/activity/calls.ts'
import { backupCalls, type BackupDependencies } from '../areas/backups/calls.ts'
import { appCalls, type AppDependencies } from '../bridge/app.ts'
import {
  computerHandlers,
  type ComputerDependencies,
  transferCalls,
  type TransferDependencies,
} from '../transfers/calls.ts'
import { copiesHandlers, type CopiesDependencies } from '../copies/calls.ts'
import { relocationHandlers, type RelocationDependencies } from '../relocations/calls.ts'
import { desktopCalls, type DesktopDependencies } from '../desktop/calls.ts'
import { diagnosticsHandlers, type DiagnosticsDependencies } from '../diagnostics/calls.ts'
import { connectionCalls, type AccountDependencies } from '../accounts/calls.ts'
import { consoleCalls, type ConsoleDependencies } from '../console/calls.ts'
import {
  fileCalls,
  type FileDependencies,
  externalEditorHandlers,
  type ExternalEditorDependencies,
} from '../areas/files/calls.ts'
import type { Handler, Handlers } from '../bridge/handlers.ts'
import { settingsTransferHandlers, type SettingsTransferDependencies } from '../settings-transfer/calls.ts'
import { operationCalls, type OperationDependencies } from '../bridge/operations.ts'
import { railCalls, type RailDependencies } from '../areas/rail/calls.ts'
import { serverCalls, type ServerDependencies } from '../areas/servers/calls.ts'
import { serviceCalls, type ProfileDependencies } from '../profiles/calls.ts'
import { updateHandlers, type UpdateDependencies } from '../updates/updates.ts'

type CallDependencies = AppDependencies &
  ActivityDependencies &
  BackupDependencies &
  ComputerDependencies &
  CopiesDependencies &
  DesktopDependencies &
  DiagnosticsDependencies &
  SettingsTransferDependencies &
  AccountDependencies &
  OperationDependencies &
  RelocationDependencies &
  RailDependencies &
  ServerDependencies &
  ProfileDependencies &
  ConsoleDependencies &
  FileDependencies &
  ExternalEditorDependencies &
  TransferDependencies &
  UpdateDependencies

export function createHandlers(rooms: CallDependencies): Handlers {
  return {
    ...appCalls(rooms),
    ...activityCalls(rooms),
    ...backupCalls(rooms),
    ...computerHandlers(rooms),
    ...copiesHandlers(rooms),
    ...relocationHandlers(rooms),
    ...desktopCalls(rooms),
    ...diagnosticsHandlers(rooms),
    ...settingsTransferHandlers(rooms),
    ...connectionCalls(rooms),
    ...operationCalls(rooms),
    ...railCalls(rooms),
    ...serverCalls(rooms),
    ...serviceCalls(rooms),
    ...consoleCalls(rooms),
    ...fileCalls(rooms),
    ...externalEditorHandlers(rooms),
    ...transferCalls(rooms),
    ...updateHandlers(rooms),
  }
}

export function registrar(rooms: CallDependencies) {
  const handlers = createHandlers(rooms)
  return async (name: string, input: unknown, window: WindowLink): Promise<unknown> => {
    if (!isCall(name))
      throw problem('refused', localized('panel.unknown-call', { name: JSON.stringify(name.slice(0, 60)) }))
    const { input: all, inputFor }: Call = calls[name]
    const parsed = (inputFor?.(input) ?? all).safeParse(input, inputFaults)
    if (!parsed.success) throw invalidInput(parsed.error)
    const handler = handlers[name] as Handler<CallName>
    return await handler(parsed.data as ParsedCallInput<CallName>, window)
  }
}

const isCall = (name: string): name is CallName => Object.hasOwn(calls, name)

/** Messages by field name. */
export function invalidInput(error: z.ZodError) {
  const fields: Record<string, string[]> = {}
  const sentences: Record<string, RefusalText> = {}
  for (const issue of error.issues) {
    const field = issue.path.filter((part) => typeof part === 'string').at(-1) ?? ''
    const sentence = sentenceOf(issue.message)
    if (typeof sentence !== 'string' && !fields[field]) sentences[field] = sentence
    fields[field] = [...(fields[field] ?? []), issue.message]
  }
  const [first] = error.issues
  const sentence = first && sentenceOf(first.message)
  const said =
    sentence === undefined
      ? localized('panel.unreadable-input')
      : localizedError(typeof sentence === 'string' ? { message: sentence } : sentence)
  return problem('invalid', said, { fields, fieldTexts: textsAtFields(sentences) })
}
