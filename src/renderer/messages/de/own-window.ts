export const ownWindow = {
  'own-window.tear-off': 'In eigenem Fenster öffnen',
  'own-window.put-back': 'Ins erste Fenster zurückholen',
}
