// A request as it is sent: first line, headers, and the parts of its signature as readable text.

interface Header {
  name: string
  value: string
  is_hidden?: boolean | undefined
}

export function HttpHeaders({ headers, label }: { headers: readonly Header[]; label: string }) {
  return (
    <table class="http-heads" aria-label={label}>
      <tbody>
        {headers.map(({ name, value, is_hidden }) => (
          <tr key={`${name}\n${value}`}>
            <th scope="row">{name}</th>
            <td>{is_hidden ? <span class="faint">hidden: a secret is not kept</span> : value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface SignaturePart {
  name: string
  value: string
  means: string
}

export function SignatureParts({ parts }: { parts: readonly SignaturePart[] }) {
  return (
    <ul class="signature-parts">
      {parts.map(({ name, value, means }) => (
        <li key={name}>
          <div class="row between">
            <code class="json-key">{name}</code>
          </div>
          <code class="wrap-anywhere">{value}</code>
          <p class="soft small">{means}</p>
        </li>
      ))}
    </ul>
  )
}
