import { loggedCommand } from '../contract/rules/players/command-names.ts'
import type { ActivityLog } from './areas/activity/activity-log.ts'
import type { NotificationService } from './hosting/notifications/open.ts'
import type { Runtime } from './runtime/types.ts'
import type { ScheduleNews } from './schedules/ports.ts'
import type { ScheduleRow, StepOutcome } from './store/schedules.ts'

const OLD = ['schedules.list', 'schedules.runs'] as const

interface NewsParts {
  log: ActivityLog
  runtime: Pick<Runtime, 'tellChanged'>
  told: Pick<NotificationService, 'sources'>
}

/** Who learns of what rules do. */
export function scheduleNews({ log, runtime, told }: NewsParts): ScheduleNews {
  return {
    changed: (serverId) => runtime.tellChanged(serverId, OLD, ''),
    did(rule, at, { result, error, names }) {
      const deed = deedOf(rule.steps[at]!, names)
      if (!deed || result === 'unchanged') return
      const isFailed = result === 'failed'
      const reason = error ? error.sentence.split('.').slice(0, 2).join('.') : null
      const by = { rule: rule.name, author: rule.author }
      log.takeOfRule(rule.serverId, by, { ...deed, result: isFailed ? 'failed' : 'done', reason })
      runtime.tellChanged(rule.serverId, ['activity.list'], '')
    },
    ended(rule, { id, result, error }) {
      log.ended(String(id), result === 'done' ? 'done' : 'failed', null)
      const isPaused = error?.sentence.startsWith('schedules.paused')
      if ((result === 'failed' && !isPaused) || result === 'interrupted')
        told.sources.schedule(rule.serverId, rule.author, rule.name, result)
    },
    paused({ serverId, author, name }) {
      log.takeOwn(serverId, {
        ...{ area: 'schedules', action: 'schedules.paused', kind: 'schedule', targets: [name] },
      })
      runtime.tellChanged(serverId, ['activity.list'], '')
      told.sources.schedule(serverId, author, name, 'paused')
    },
  }
}

type RuleAct = Parameters<ActivityLog['takeOfRule']>[2]

/** As if its author had done it; null for what leaves no trace. */
function deedOf(step: ScheduleRow['steps'][number], names: StepOutcome['names']): RuleAct | null {
  const targets = [...(names ?? [])]
  switch (step.kind) {
    case 'command':
    case 'message': {
      const command = step.kind === 'command' ? (step.command ?? '') : `say ${step.text ?? ''}`
      const shown = loggedCommand(command)
      return {
        ...{ area: 'console', action: 'console.command', kind: 'command' },
        targets: shown === null ? [] : [shown],
      }
    }
    case 'power':
      return { area: 'servers', action: `servers.power.${step.power ?? 'stop'}` }
    case 'update-extensions':
      return { area: 'extensions', action: 'extensions.install', kind: 'extension', targets }
    case 'backup':
      return { area: 'backups', action: 'backups.create' }
    case 'try-backup':
      return { area: 'backups', action: 'backups.try' }
    case 'wait':
      return null
  }
}
