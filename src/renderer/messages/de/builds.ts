/** Die Auswahl eines Builds einer Version, und was sich bis dahin ändert. */
export const builds = {
  'build.label': 'Build',
  'build.newest': 'Neuester stabiler ({build})',
  'build.newest-trial': 'Neuester ({build}, experimentell)',
  'build.of': '{build}, {time}',
  'build.trial': '{build} (experimentell)',
  'build.trial-of': '{build}, {time} (experimentell)',
  'build.downloaded': '{build}, heruntergeladen',
  'build.kept': 'Dieser Build bleibt, bis du einen anderen wählst.',
  'build.same': 'Build {build} ist bereits installiert.',
  'build.older': 'Dieser Build ist älter als der installierte, {build}.',
  'build.changes': 'Änderungen von Build {from} bis {to}',
  'build.no-changes': 'Der Katalog sagt nicht, was sich geändert hat.',
  'build.more-changes': { one: 'und {count} weitere Änderung', other: 'und {count} weitere Änderungen' },
  'build.chosen': 'Build {build}',
  'build.choose': 'Build auswählen',
  'build.only-one': 'Für diese Version gibt es keine Builds zur Auswahl.',
}
