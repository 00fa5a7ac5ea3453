import { TIME_LEFT } from '../../../../contract/rules/schedules.ts'
import { t } from '../../../messages/t.svelte.ts'
import { type Draft, emptyDraft, newStep, type StepDraft } from './draft.ts'

export type TemplateName = 'restart' | 'backup' | 'update' | 'empty'

const warning = (): StepDraft =>
  newStep('message', {
    ...{ text: t('schedules.chat-restart', { time: TIME_LEFT }), countdown: '300', onFailure: 'continue' },
  })

const all: Record<TemplateName, () => Partial<Draft>> = {
  restart: () => ({ onlyOnline: true, steps: [warning(), newStep('power')] }),
  backup: () => ({ time: '04:00', missed: 'run', steps: [newStep('backup')] }),
  update: () => ({
    ...{ when: 'weekly', time: '04:30', onlyOnline: true },
    steps: [newStep('update-extensions'), warning(), newStep('power')],
  }),
  empty: () => ({ when: 'empty', minutes: 15, steps: [newStep('power', { power: 'stop' })] }),
}

/** Those whose steps and events this server can have; where it has backups, with one before an update. */
export function templatesFor(may: (draft: Draft) => boolean): { name: TemplateName; draft: Draft }[] {
  return (Object.keys(all) as TemplateName[])
    .map((name) => {
      const draft = emptyDraft({ name: t(`schedules.template-${name}`), ...all[name]() })
      const safe = { ...draft, steps: [newStep('backup'), ...draft.steps] }
      return { name, draft: name === 'update' && may(safe) ? safe : draft }
    })
    .filter(({ draft }) => may(draft))
}
