import { effect, signal } from '@preact/signals'

export const themes = ['system', 'light', 'dark', 'sun'] as const
type Theme = (typeof themes)[number]

const key = 'furrow-theme'
const darkness = typeof matchMedia === 'undefined' ? null : matchMedia('(prefers-color-scheme: dark)')
const systemIsDark = signal(darkness?.matches ?? false)

/** Theme of this device; "system" follows the device setting. */
export const theme = signal<Theme>('system')

export function startTheme(): void {
  theme.value = kept()
  darkness?.addEventListener('change', ({ matches }) => {
    systemIsDark.value = matches
  })
  effect(() => {
    document.documentElement.dataset.theme = seen()
    const colour = getComputedStyle(document.documentElement).getPropertyValue('--ground').trim()
    document.querySelector('meta[name=theme-color]')?.setAttribute('content', colour)
  })
}

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen
  localStorage.setItem(key, chosen)
}

function seen(): Exclude<Theme, 'system'> {
  if (theme.value !== 'system') return theme.value
  return systemIsDark.value ? 'dark' : 'light'
}

function kept(): Theme {
  const stored = localStorage.getItem(key)
  return themes.find((known) => known === stored) ?? 'system'
}
