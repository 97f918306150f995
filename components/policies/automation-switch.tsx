"use client";

import { OctagonPause, Play } from "lucide-react";
import { FormDialog } from "@/components/settings/form-dialog";
import type { Act } from "@/components/settings/use-act";
import { Button } from "@/components/ui/button";
import { TextAreaField } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import type { AutomationState } from "@/lib/domain/policies/view";

export type TurnAutomation = Act<{ reason: string }, AutomationState>;

/** The one switch. */
export function StopAutomation({ stop }: { stop: TurnAutomation }) {
  return (
    <FormDialog
      trigger={
        <Button look="danger" icon={OctagonPause}>
          Stop all automation
        </Button>
      }
      title="Stop all automation?"
      about="From now on no policy ends, launches or holds back anything, and what one asked for and is not sent yet is dropped. What people do is not touched. An admin lets it go on."
      word="Stop all automation"
      act={(data: FormData) => stop({ reason: String(data.get("reason") ?? "") })}
      fields={["reason"]}
      onDone={() =>
        toast("warn", "All automation is stopped", "It says so on every page until somebody lets it go on.")
      }
    >
      {(failure) => (
        <TextAreaField
          label="Why"
          name="reason"
          required
          maxLength={500}
          rows={2}
          placeholder="it ends machines that are in use"
          error={failure?.fields.reason}
        />
      )}
    </FormDialog>
  );
}

export function ResumeAutomation({ resume }: { resume: TurnAutomation }) {
  return (
    <FormDialog
      trigger={
        <Button look="primary" icon={Play}>
          Let automation go on
        </Button>
      }
      title="Let automation go on?"
      about="Armed policies act again from the next look on, within half a minute. What was due meanwhile is announced again or let go; nothing is caught up in a burst."
      word="Let it go on"
      act={(data: FormData) => resume({ reason: String(data.get("reason") ?? "") })}
      fields={["reason"]}
      onDone={() => toast("ok", "Automation goes on")}
    >
      {(failure) => (
        <TextAreaField
          label="Why"
          name="reason"
          maxLength={500}
          rows={2}
          error={failure?.fields.reason}
          hint="Optional."
        />
      )}
    </FormDialog>
  );
}
