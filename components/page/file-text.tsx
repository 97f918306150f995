import { TextAreaField, TextField } from "@/components/ui/field";

type Props = {
  text: string;
  onChange: (text: string) => void;
  /** Of the file's picker: ".csv,text/csv". */
  accept: string;
  label: string;
  rows: number;
  placeholder?: string;
  hint?: string;
  error?: string | undefined;
};

/** A text that comes from a file or is pasted; either way it stands there to be read and changed before anything is done with it. */
export function FileText({ text, onChange, accept, label, rows, placeholder, hint, error }: Props) {
  return (
    <>
      <FileField label="File" accept={accept} onText={onChange} />
      <TextAreaField
        label={label}
        name="text"
        rows={rows}
        spellCheck={false}
        className="mono"
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
        {...(placeholder !== undefined && { placeholder })}
        {...(hint !== undefined && { hint })}
      />
    </>
  );
}

/** A file whose text is taken. */
export function FileField({
  label,
  accept,
  onText,
}: {
  label: string;
  accept: string;
  onText: (text: string) => void;
}) {
  return (
    <TextField
      label={label}
      type="file"
      accept={accept}
      onChange={async (event) => {
        const file = event.currentTarget.files?.[0];
        if (file) onText(await file.text());
      }}
    />
  );
}
