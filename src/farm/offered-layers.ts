/** Map layers that a manager can choose without typing an address. Nothing is fetched before that. */
export const offeredLayers = [
  {
    name: 'Aerial',
    url: 'https://server.arcgisonline.com/ArcGIS/rest/services/World_Imagery/MapServer/tile/{z}/{y}/{x}',
    credit: '© Esri, Maxar, Earthstar Geographics',
    max_zoom: 18,
  },
  {
    name: 'Streets',
    url: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
    credit: '© OpenStreetMap contributors',
    max_zoom: 19,
  },
] as const
