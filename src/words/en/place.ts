export const place = {
  'place.hectares': '{amount} ha',
  'place.acres': '{amount} acres',
  'place.square-metres': '{amount} m²',
  'place.square-feet': '{amount} sq ft',
  'place.metres': '{amount} m',
  'place.feet': '{amount} ft',
  'place.map': 'Map with {name}',
  'place.ribbon-now': 'now',
} as const
