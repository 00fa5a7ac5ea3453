import { t } from '../../../messages/t.svelte.ts'

export function phrases(): Record<string, string> {
  return {
    Find: t('code.find'),
    Replace: t('code.replace-field'),
    next: t('code.next'),
    previous: t('code.previous'),
    all: t('code.all'),
    'match case': t('code.case'),
    regexp: t('code.regexp'),
    'by word': t('code.word'),
    replace: t('code.replace'),
    'replace all': t('code.replace-all'),
    close: t('code.close'),
    'Go to line': t('code.go-to-line'),
    go: t('code.go'),
    'current match': t('code.current'),
    'on line': t('code.on-line'),
    'replaced match on line $': t('code.replaced-one'),
    'replaced $ matches': t('code.replaced'),
    '$ unchanged lines': t('code.unchanged'),
    'Revert this chunk': t('code.take'),
    'Control character': t('code.control'),
  }
}
