'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { updateAgent } from '@/lib/api-client/actions';
import { keys } from '@/lib/api-client/queries';
import type { AgentPatch } from '@/lib/contract/api-requests';
import { useToast } from '../../_ui/toast';

/** Changes an agent, refreshes the list and says what became of it. */
export function useAgentUpdate(id: string, done: string) {
  const client = useQueryClient();
  const say = useToast();
  return useMutation({
    mutationFn: (patch: AgentPatch) => updateAgent(id, patch),
    onSuccess: () => {
      say({ tone: 'done', title: done });
      return client.invalidateQueries({ queryKey: keys.agents });
    },
    onError: (error) => say({ tone: 'problem', title: 'Nothing was changed', detail: error.message }),
  });
}
