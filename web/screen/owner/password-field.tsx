import type { JSX } from 'preact'

interface PasswordFieldProps {
  readonly label: string
  readonly value: string
  readonly onText: (text: string) => void
}

/** For the password that somebody has already. */
export function PasswordField({ label, value, onText }: PasswordFieldProps): JSX.Element {
  return (
    <label class="labelled">
      <span class="soft small">{label}</span>
      <span class="field">
        <input
          type="password"
          autocomplete="current-password"
          value={value}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
        />
      </span>
    </label>
  )
}
