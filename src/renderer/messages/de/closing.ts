export const closing = {
  'closing.title': 'Welten werden gespeichert …',
  'closing.stop':
    'Laufende Server dieses Computers werden gestoppt; ihre Welten werden vorher gespeichert. Das kann eine halbe Minute dauern. Wheelhouse schließt sich dann von selbst.',
  'closing.hand-over':
    'Laufende Server dieses Computers werden gestoppt und im Hintergrund wieder gestartet. Das kann eine halbe Minute dauern. Wheelhouse schließt sich dann von selbst.',
}
