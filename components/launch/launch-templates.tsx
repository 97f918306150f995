"use client";

import { useQueryClient } from "@tanstack/react-query";
import { BookmarkPlus, FolderOpen, Trash2 } from "lucide-react";
import { useId, useState, useTransition } from "react";
import { useLive } from "@/components/page/use-live";
import { Button, IconButton } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/choice";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/field";
import { Menu, MenuGroup, MenuItem } from "@/components/ui/menu";
import { Note } from "@/components/ui/note";
import { toast } from "@/components/ui/toast";
import type { LaunchTemplate } from "@/lib/domain/intents/templates";
import type { Saved } from "@/lib/domain/saved";
import type { Result } from "@/lib/errors";
import { launchTemplatesQuery } from "@/lib/queries/launch";
import { type Draft, templateOf } from "./draft";

type Fields = { name: string; isShared: boolean; body: unknown };
type Act<I> = (input: I) => Promise<Result<{ id: string }>>;
export type TemplateActs = {
  create: Act<Fields>;
  change: Act<Fields & { id: string; version: number }>;
  remove: Act<{ id: string }>;
};

type Props = { acts: TemplateActs; draft: Draft; now: number; onLoad: (template: LaunchTemplate) => void };

/** Launches that are kept by name: load one, keep this one. */
export function LaunchTemplates({ acts, draft, now, onLoad }: Props) {
  const { data } = useLive(launchTemplatesQuery());
  const own = data.rows.filter(({ isOwn }) => isOwn);
  const others = data.rows.filter(({ isOwn }) => !isOwn);
  const load = (row: Saved<LaunchTemplate>) => {
    onLoad(row.body);
    toast("ok", `Filled in from ${row.name}`);
  };
  const item = (row: Saved<LaunchTemplate>) => (
    <MenuItem key={row.id} hint={row.isShared ? (row.owner ?? "shared") : "yours"} onSelect={() => load(row)}>
      {row.name}
    </MenuItem>
  );
  return (
    <span className="flex gap-2">
      <Menu
        trigger={
          <Button size="small" icon={FolderOpen} disabled={data.rows.length === 0}>
            {data.rows.length === 0 ? "No templates yet" : "Templates"}
          </Button>
        }
      >
        {own.length > 0 && <MenuGroup label="Yours">{own.map(item)}</MenuGroup>}
        {others.length > 0 && <MenuGroup label="Shared">{others.map(item)}</MenuGroup>}
      </Menu>
      <SaveDialog acts={acts} draft={draft} now={now} own={own} />
    </span>
  );
}

function SaveDialog({ acts, draft, now, own }: Omit<Props, "onLoad"> & { own: Saved<LaunchTemplate>[] }) {
  const form = useId();
  const list = useId();
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState("");
  const [isShared, setShared] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [isPending, start] = useTransition();
  const same = own.find((row) => row.name === name.trim());

  const act = (run: () => Promise<Result<{ id: string }>>, done: string) =>
    start(async () => {
      setProblem(null);
      const result = await run();
      if (!result.ok) return setProblem(result.error.message);
      await client.invalidateQueries({ queryKey: ["intents", "templates"] });
      setOpen(false);
      toast("ok", done);
    });
  const save = () => {
    const fields = { name, isShared, body: templateOf(draft, now) };
    act(
      () => (same ? acts.change({ ...fields, id: same.id, version: same.version }) : acts.create(fields)),
      `${name.trim()} is kept`,
    );
  };
  return (
    <Dialog
      trigger={
        <Button size="small" icon={BookmarkPlus}>
          Save as template
        </Button>
      }
      open={isOpen}
      onOpenChange={(next) => {
        setOpen(next);
        setProblem(null);
      }}
      title="Save as template"
      about="Everything in the form, with the lease as a span. Start-up data is kept as typed: put no secrets into it."
      isNarrow
      remark="Written to the audit trail"
      actions={
        <>
          <DialogClose />
          <Button type="submit" form={form} look="primary" isPending={isPending} disabled={name.trim() === ""}>
            {same ? "Save over it" : "Save"}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <TextField
          label="Name"
          value={name}
          maxLength={80}
          list={list}
          required
          hint={same ? "There is one of this name; it is replaced." : undefined}
          onChange={(event) => setName(event.target.value)}
        />
        <datalist id={list}>
          {own.map((row) => (
            <option key={row.id} value={row.name} />
          ))}
        </datalist>
        <Checkbox
          label="Share it"
          hint="Everybody who launches sees it; schedules and capacity watches can use it."
          checked={isShared}
          onChange={(event) => setShared(event.target.checked)}
        />
        <div role="alert">{problem && <Note tone="crit">{problem}</Note>}</div>
      </form>
      {own.length > 0 && (
        <ul className="template-list" aria-label="Your templates">
          {own.map((row) => (
            <li key={row.id}>
              <span className="ellipsis">{row.name}</span>
              <IconButton
                icon={Trash2}
                size="small"
                look="ghost"
                label={`Remove ${row.name}`}
                onClick={() => act(() => acts.remove({ id: row.id }), `${row.name} is removed`)}
              />
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
